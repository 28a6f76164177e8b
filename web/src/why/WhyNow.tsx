import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import { Icon } from "../ui/icons";
import { RelativeTime } from "../ui/words";
import { LongText } from "./LongText";
import type { Question } from "./reasons";

/** What was asked, when, and what became of it. */
export function WhyNow({ question }: { question: Question }) {
  const words = en.why;
  const { text, at, level, status, conversation_id, question_message_id, answers } = question;
  const ended = words.status[status];
  return (
    <>
      <blockquote className="why-question">
        <LongText text={text} />
      </blockquote>
      <p className="soft why-line">
        {words.asked} <RelativeTime at={at} /> {words.at(level)}
        {question_message_id && (
          <>
            {" · "}
            <Link to="/c/$id" params={{ id: conversation_id }} search={{ message: question_message_id }}>
              {words.inConversation}
            </Link>
          </>
        )}
      </p>
      {ended && (
        <p className="why-ended">
          <Icon name="warning" size={16} />
          <span>
            {ended} {answers.length > 0 && words.kept}
          </span>
        </p>
      )}
    </>
  );
}
