import { en } from "../strings/en";
import { duration, money } from "../strings/numbers";
import type { Verdict } from "../ui/marks";
import type { Outcome, ReviewVerdict } from "./outcome";

/** One thing that is known of an answer. title: what more there is to say of it. */
export interface Fact {
  readonly key: string;
  readonly text: string;
  readonly verdict?: Verdict;
  readonly title?: string;
  /** The whole sentence, where the text is only the beginning of it. */
  readonly whole?: string;
}

const GLYPHS: Readonly<Record<ReviewVerdict, Verdict>> = {
  correct: "agree",
  partially_correct: "doubt",
  incorrect: "differ",
  unreviewed: "doubt",
};

type Known = Pick<
  Outcome,
  "alone" | "confidence" | "agree" | "answered" | "silent" | "unawaited" | "mute" | "effectiveVotes" | "reviews" | "costMicros" | "seconds" | "receipt"
>;

/** The confidence in words: a percentage stands there only where it is a probability learned from grades. */
export function confidenceWords(confidence: NonNullable<Outcome["confidence"]>): string {
  const { label, p } = confidence;
  return p === null ? label : `${label}, ${en.answer.probability(p)}`;
}

/** What a council says of a score as long as there are too few grades for a probability. */
const UNGRADED = /^prior: a score of ([\d.]+), no probability; (\d+) of the (\d+) grades that a probability needs/u;

/** The basis of a confidence in a few words, and as it was said where that is more. It is never said better than it is. */
export function basisWords(basis: string): { readonly text: string; readonly whole?: string } {
  const [said, score = "", grades = "", wanted = ""] = UNGRADED.exec(basis) ?? [];
  if (said === undefined) return { text: basis };
  const short = grades === "0" ? en.answer.noGrades(score) : en.answer.fewGrades(score, grades, wanted);
  return { text: short + basis.slice(said.length), whole: basis };
}

/** The line under an answer, most important first. What is not known is left out. */
export function factsOf(outcome: Known): readonly Fact[] {
  const words = en.answer;
  const facts: Fact[] = [];
  if (outcome.confidence) facts.push({ key: "confidence", text: confidenceWords(outcome.confidence) });
  if (outcome.alone !== null) facts.push({ key: "alone", text: words.alone(outcome.alone) });
  if (outcome.answered > 1) facts.push({ key: "agree", text: words.agree(outcome.agree, outcome.answered) });
  if (outcome.mute > 0) facts.push({ key: "mute", text: words.mute(outcome.mute), title: words.muteTitle });
  if (outcome.silent > 0) facts.push({ key: "silent", text: words.silent(outcome.silent) });
  if (outcome.unawaited > 0) facts.push({ key: "unawaited", text: words.unawaited(outcome.unawaited) });
  if (outcome.effectiveVotes !== null) facts.push({ key: "votes", text: words.votes(outcome.effectiveVotes) });
  if (outcome.confidence?.basis) facts.push({ key: "basis", ...basisWords(outcome.confidence.basis) });
  facts.push(...reviewFacts(outcome.reviews));
  facts.push({ key: "cost", text: money(outcome.costMicros) });
  if (outcome.seconds > 0) facts.push({ key: "time", text: duration(outcome.seconds) });
  if (outcome.receipt) facts.push({ key: "proof", text: proofWords(outcome.receipt) });
  return facts;
}

/** One fact for each verdict, with who gave it. */
function reviewFacts(reviews: Known["reviews"]): Fact[] {
  const verdicts = [...new Set(reviews.map((each) => each.verdict))];
  return verdicts.map((verdict) => {
    const same = reviews.filter((each) => each.verdict === verdict);
    return {
      key: `review ${verdict}`,
      text: en.answer.reviewed(en.answer.verdicts[verdict], same.length),
      verdict: GLYPHS[verdict],
      title: en.answer.reviewBy(same.map((each) => each.reviewer).join(", ")),
    };
  });
}

function proofWords({ level, seq }: { readonly level: string; readonly seq: number }): string {
  return en.answer.proof.label(en.answer.proof.levels[level] ?? level, seq);
}
