/** One thing wrong at one place. */
export interface ProblemPlace {
  code?: string;
  pointer?: string;
  message: string;
  limit?: string;
  got?: string;
}

/** A failure as it is shown to a person. */
export interface ProblemShown {
  title: string;
  detail?: string;
  hint?: string;
  status?: number;
  errors?: ProblemPlace[];
  request_id?: string;
}

/** A failure: what was tried, what went wrong, where, and what to do. */
export function Problem({ problem, onRetry }: { problem: ProblemShown; onRetry?: () => void }) {
  const places = problem.errors ?? [];
  return (
    <section className="panel problem" role="alert">
      <div className="strong">{problem.detail ?? problem.title}</div>
      {problem.hint && <div className="hint">What to do: {problem.hint}</div>}
      {places.length > 0 && <ProblemPlaces places={places} />}
      <div className="row">
        {onRetry && (
          <button type="button" className="btn" onClick={onRetry}>
            Try again
          </button>
        )}
        {problem.request_id && (
          <span className="foot">
            request <span className="mono">{problem.request_id}</span>
          </span>
        )}
      </div>
    </section>
  );
}

/** Every place that is wrong, with its pointer, the limit and what was found. */
export function ProblemPlaces({ places }: { places: ProblemPlace[] }) {
  return (
    <ul>
      {places.map((place, index) => (
        <li key={index}>
          {place.pointer && <code>{place.pointer}</code>} {place.message}
          {place.limit && <span className="dim"> · limit {place.limit}</span>}
          {place.got && <span className="dim"> · got {place.got}</span>}
        </li>
      ))}
    </ul>
  );
}
