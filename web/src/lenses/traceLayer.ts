/** The layer of a track a category of spans lies on, as the server lays them out. */
export const layerOf = (category: string) =>
  ["kernel", "memcpy", "memset"].includes(category)
    ? "device"
    : ["operator", "runtime", "synchronisation", "overhead"].includes(category)
      ? "calls"
      : category === "python_function"
        ? "python"
        : ["annotation", "gpu_annotation"].includes(category)
          ? "annotations"
          : "other";
