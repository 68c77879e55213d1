import type { TraceFigures } from "../api/figures";
import type { CaptureShow } from "../api/nouns";
import { Findings } from "./findings";
import { LeftOut, StepTable, TimeBreakdown } from "./traceFigures";
import { TopKernels } from "./traceKernels";
import { Copies, IdleCauses } from "./traceStreams";
import { type TimelineState, TraceTimeline } from "./traceTimeline";

/** A trace: its timeline, where the time goes, steps, kernels, and what was left out. */
export default function Spans({
  ws,
  capture,
  state,
  onState,
}: {
  ws: string;
  capture: CaptureShow;
  state: TimelineState;
  onState: (change: TimelineState) => void;
}) {
  const figures = capture.figures as TraceFigures | undefined;
  return (
    <>
      <TraceTimeline ws={ws} capture={capture.id} state={state} onState={onState} />
      {figures && (
        <>
          <div className="two">
            <TimeBreakdown figures={figures} />
            <LeftOut figures={figures} />
          </div>
          <StepTable figures={figures} />
          <TopKernels figures={figures} onFind={(find) => onState({ find })} />
          <IdleCauses figures={figures} />
          <Copies figures={figures} />
        </>
      )}
      <Findings findings={capture.findings} />
    </>
  );
}
