/** The colour token of a span's category. */
export function categoryColour(category: string, name: string): string {
  if (name.startsWith("ProfilerStep") || name.startsWith("Optimizer.")) return "work-annotation";
  switch (category) {
    case "kernel":
      return /nccl|rccl|all_?reduce|all_?gather|reduce_?scatter/i.test(name) ? "work-communication" : "work-compute";
    case "memcpy":
    case "memset":
      return "work-memory";
    case "annotation":
    case "gpu_annotation":
    case "whole_capture":
      return "work-annotation";
    case "python_function":
      return "work-python";
    case "runtime":
    case "synchronisation":
    case "overhead":
      return "work-runtime";
    default:
      return "work-operator";
  }
}

/** Categories in words, for legends. */
export const categoryWords: [string, string][] = [
  ["work-compute", "kernel"],
  ["work-communication", "communication kernel"],
  ["work-memory", "copy or fill"],
  ["work-operator", "operator"],
  ["work-runtime", "launch and wait calls"],
  ["work-annotation", "annotation, step"],
  ["work-python", "Python function"],
];
