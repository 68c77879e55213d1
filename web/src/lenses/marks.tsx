import type { Device, Origin } from "../api/nouns";
import { Tag } from "../ui/Tag";

const devices: Record<Device, { word: string; tip: string; synthetic?: boolean }> = {
  gpu: { word: "GPU", tip: "Measured on a GPU" },
  cpu: { word: "CPU", tip: "Measured on a CPU: says nothing of a GPU" },
  simulator: { word: "simulator", tip: "From a simulator: not a measurement", synthetic: true },
  none: { word: "no device", tip: "No device was measured" },
  unknown: {
    word: "device unknown",
    tip: "The capture does not say what it was measured on; give measured_on by a setup",
  },
};

/** What a number was measured on. The mark rides with the number everywhere. */
export function MeasuredOn({ device }: { device: Device | string }) {
  const found = devices[device as Device] ?? { word: device, tip: "" };
  const tone = found.synthetic ? "synth" : device === "unknown" ? "unsure" : device === "gpu" ? "plain" : "lined";
  return (
    <Tag tone={tone} tip={found.tip}>
      {found.word}
    </Tag>
  );
}

/** Both marks of a row in one: made numbers say so first. */
export function RunMark({ device, origin }: { device: Device; origin: Origin }) {
  if (origin !== "synthetic") {
    return (
      <>
        <MeasuredOn device={device} />
        <OriginMark origin={origin} />
      </>
    );
  }
  return (
    <Tag tone="synth" tip="Synthetic: made, not measured">
      {device === "none" ? "synthetic" : `synthetic, ${devices[device].word}`}
    </Tag>
  );
}

/** Recorded captures need no mark; the others always bear one. */
export function OriginMark({ origin, reason }: { origin: Origin | string; reason?: string }) {
  if (origin === "synthetic") {
    return (
      <Tag tone="synth" tip={reason ? `Synthetic: ${reason}` : "Synthetic: made, not measured"}>
        synthetic
      </Tag>
    );
  }
  if (origin === "unattested") {
    return (
      <Tag tone="unsure" tip="The file does not say whether it was recorded">
        origin unattested
      </Tag>
    );
  }
  return null;
}

const formats: Record<string, string> = {
  aiperf: "AIPerf",
  "chrome-trace": "PyTorch / Chrome trace",
  "kernelwake-json": "Kernelwake JSON",
};

/** A capture format by its name. */
export function formatName(id: string): string {
  return formats[id] ?? id;
}
