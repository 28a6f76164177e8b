import { useCopy } from "../../../answer/Actions";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Dialog } from "../../../ui/Dialog";

interface ShownOnceProps {
  title: string;
  text: string;
  /** What the secret is, for screen readers. */
  label: string;
  secret: string;
  copied: string;
  onClose: () => void;
}

/** Something that can be read only now. */
export function ShownOnce({ title, text, label, secret, copied, onClose }: ShownOnceProps) {
  const copy = useCopy();
  const words = en.keeping.access;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      footer={
        <>
          <Button icon="copy" onClick={() => copy(secret, copied)}>
            {words.copy}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <p className="secret">
        <span className="visually-hidden">{label}</span>
        <code className="command">{secret}</code>
      </p>
    </Dialog>
  );
}
