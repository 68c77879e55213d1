import type { ComparisonListed } from "../api/comparison";
import { answerMark, Mark } from "../ui/Verdict";
import { OriginMark } from "./marks";

/** A saved comparison's answer, and that it rests on made numbers where it does. */
export function AnswerMark({ row }: { row: ComparisonListed }) {
  const kind = answerMark(row.answer, row.verdict);
  return (
    <>
      {kind && <Mark kind={kind} />}
      {row.synthetic && <OriginMark origin="synthetic" />}
    </>
  );
}
