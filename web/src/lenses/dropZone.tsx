import { type DragEvent, useId, useState } from "react";

/** Takes files by dropping them or by choosing them. */
export function DropZone({ onFiles, compact }: { onFiles: (files: File[]) => void; compact?: boolean }) {
  const [over, setOver] = useState(false);
  const id = useId();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <section
      className={`panel drop${over ? " over" : ""}${compact ? " compact" : ""}`}
      aria-label="Drop captures here"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className="title">{compact ? "Drop more files here" : "Drop captures here"}</div>
      {!compact && (
        <div className="sub">
          PyTorch or Chrome trace, AIPerf export, Kernelwake JSON. Several at once are fine; bytes are kept exactly as
          they come.
        </div>
      )}
      <div className="row">
        <input
          id={id}
          type="file"
          multiple
          className="visually-hidden"
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <label htmlFor={id} className="btn">
          Choose files…
        </label>
        {!compact && (
          <>
            <span className="dim">or</span>
            <code>graphsignal-server import run1/*.gz --workload resnet50</code>
          </>
        )}
      </div>
    </section>
  );
}
