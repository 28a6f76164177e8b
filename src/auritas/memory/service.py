"""Keeping what a person told us: storing, superseding, confirming, editing, pinning, erasing, and taking it back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from auritas.kernel.clock import Clock
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Provenance, Scope
from auritas.kernel.text import storable
from auritas.memory.errors import ChangedSinceError, NothingToUndoError, WrongStateError
from auritas.memory.history import STEERING, Change, CorrectionStore, Happened
from auritas.memory.model import BREADTH, Draft, Kept, Undone, checked_claim, checked_place, place_of
from auritas.memory.slots import condition_key, says_whole, slot_of

U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Remembering(Generic[U]):
    """Changes what is remembered. It trusts its caller that the words are the user's own."""

    store: CorrectionStore[U]
    clock: Clock
    ids: Ids

    def keep(
        self,
        unit: U,
        draft: Draft,
        state: CorrectionState = CorrectionState.ACTIVE,
        instead_of: Sequence[Correction] = (),
    ) -> Kept:
        """Store something, superseding what held its slot in its place; nothing twice in the same words.

        instead_of: active corrections that it replaces as well, because it contradicts what came of them.
        """
        correction = self._placed(unit, self._made(draft, state))
        known = self.store.same_words(unit, correction)
        if known is not None:
            if known.state is CorrectionState.ACTIVE or state is CorrectionState.PROPOSED:
                return Kept(known, already=True)
            # The user says it themselves now, so it holds as they say it, not as it was proposed.
            said = replace(correction, id=known.id, created_at=known.created_at)
            return self._confirmed(unit, known, said, instead_of)
        act_id = self.ids.new()
        replaced: tuple[Correction, ...] = ()
        if state is CorrectionState.ACTIVE:
            correction = _heir(correction, instead_of)
            replaced = self._make_room(unit, correction, act_id, instead_of)
        self._write(unit, correction, Change.CREATED, act_id, message_id=draft.message_id)
        self._link(unit, replaced, correction)
        return Kept(correction, act_id, replaced)

    def confirm(self, unit: U, correction_id: str) -> Kept:
        """Make a proposed correction active: the user said so. A fact of a reviewer's then holds everywhere."""
        proposed = self._known(unit, correction_id)
        if proposed.state is not CorrectionState.PROPOSED:
            raise WrongStateError(
                f"This is {proposed.state} already.",
                remedy="See what waits on the page Memory, or by auritas memory list --proposed",
            )
        # A reviewer proposes for one conversation because it knows no other; a person says so because they mean it.
        by_reviewer = proposed.is_fact and proposed.provenance is Provenance.REVIEWER
        scope = Scope.GLOBAL if by_reviewer else proposed.scope
        active = self._slotted(replace(proposed, state=CorrectionState.ACTIVE, scope=scope))
        return self._confirmed(unit, proposed, active)

    def _confirmed(
        self, unit: U, proposed: Correction, active: Correction, instead_of: Sequence[Correction] = ()
    ) -> Kept:
        act_id = self.ids.new()
        active = _heir(active, instead_of)
        replaced = self._make_room(unit, active, act_id, instead_of)
        self._write(unit, active, Change.CONFIRMED, act_id, before=proposed)
        self._link(unit, replaced, active)
        return Kept(active, act_id, replaced)

    def dismiss(self, unit: U, correction_id: str) -> Correction:
        """Drop a proposal with its words."""
        proposed = self._known(unit, correction_id)
        if proposed.state is not CorrectionState.PROPOSED:
            raise WrongStateError(f"This is {proposed.state}, not proposed.", remedy="Erase it instead.")
        self.store.wipe(unit, correction_id)
        self._note(unit, proposed, Change.DISMISSED, self.ids.new())
        return proposed

    def edit(self, unit: U, correction_id: str, claim: str) -> Kept:
        """Change the words of a correction, and with them its slot."""
        before = self._active(unit, correction_id)
        # What stood in a prompt instead of the old words does not speak for the new ones.
        after = self._slotted(replace(before, claim=_checked(claim), instruction="", subject=""))
        return self._changed(unit, before, after)

    def move(
        self,
        unit: U,
        correction_id: str,
        scope: Scope,
        *,
        domain: str | None = None,
        project_id: str | None = None,
        conversation_id: str | None = None,
    ) -> Kept:
        """Let a correction hold in another place: only here, only in a project, or everywhere.

        Where it now only hides what it had replaced, that holds again outside of its new place.
        """
        before = self._active(unit, correction_id)
        after = replace(before, scope=scope, domain=domain, project_id=project_id, conversation_id=conversation_id)
        checked_place(after)
        kept = self._changed(unit, before, self._placed(unit, after))
        narrower = BREADTH[after.scope] < BREADTH[before.scope]
        return replace(kept, restored=self._let_out(unit, after, kept.act_id)) if narrower else kept

    def _let_out(self, unit: U, narrowed: Correction, act_id: str) -> tuple[Correction, ...]:
        """Restore the wider ones that a correction replaced and would have hidden, had it been said of its place."""
        restored = []
        for each in self.store.retired_by(unit, narrowed.id):
            back = replace(each, state=CorrectionState.ACTIVE, superseded_by=None)
            if _hides(narrowed, each) and not self._held(unit, back) and not self._said(unit, back):
                self._write(unit, back, Change.RESTORED, act_id, before=each)
                restored.append(back)
        return tuple(restored)

    def _said(self, unit: U, correction: Correction) -> bool:
        same = self.store.same_words(unit, correction)
        return same is not None and same.state is CorrectionState.ACTIVE

    def pin(self, unit: U, correction_id: str, *, pinned: bool) -> Correction:
        """Let a correction enter every prompt where it holds, or no longer."""
        before = self._active(unit, correction_id)
        after = replace(before, pinned=pinned)
        if after != before:
            self._write(unit, after, Change.PINNED if pinned else Change.UNPINNED, self.ids.new(), before=before)
        return after

    def supersede(self, unit: U, newer_id: str, older_id: str) -> Kept:
        """Let one active correction take the place of another; it takes over its slot where it has no telling one."""
        newer, older = self._active(unit, newer_id), self._active(unit, older_id)
        if newer.id == older.id:
            raise WrongStateError("A correction cannot replace itself.", remedy="Name the two by their ids.")
        act_id = self.ids.new()
        self._retire(unit, older, newer.id, act_id)
        heir = newer if newer.slot is not None and not says_whole(newer.slot) else _heir(newer, [older])
        if heir == newer:
            return Kept(newer, act_id, (older,))
        replaced = self._make_room(unit, heir, act_id)
        self._write(unit, heir, Change.EDITED, act_id, before=newer)
        self._link(unit, replaced, heir)
        return Kept(heir, act_id, (older, *replaced))

    def erase(self, unit: U, correction_id: str) -> Correction:
        """Remove a correction's words for good; there is no undo. Raises NotFoundError, also for an erased one."""
        known = self._known(unit, correction_id)
        self.store.wipe(unit, correction_id)
        self._note(unit, replace(known, claim="", state=CorrectionState.ERASED), Change.ERASED, self.ids.new())
        return known

    def undo(self, unit: U, act_id: str | None = None) -> Undone:
        """Take back one act, or the last one that can be taken back. What was stored by it is erased.

        Raises NothingToUndoError, and ChangedSinceError where a later act changed the same once more.
        """
        lines = self.store.last_act(unit) if act_id is None else self.store.act(unit, act_id)
        if not lines:
            raise NothingToUndoError(
                "There is nothing to undo." if act_id is None else "This was taken back already, or erased.",
                remedy="See what is remembered on the page Memory, or by auritas memory list",
            )
        if self.store.changed_after(unit, lines[0].act_id):
            raise ChangedSinceError
        self.store.mark_undone(unit, lines[0].act_id)
        undoing_id = self.ids.new()
        main = lines[0]
        subject = self._known(unit, main.correction_id)
        # What held not before the act goes first, so that what did finds its slot free.
        in_turn = sorted(
            lines, key=lambda line: line.before is not None and line.before.state is CorrectionState.ACTIVE
        )
        back = [self._take_back(unit, line, undoing_id) for line in in_turn]
        return Undone(main.change, subject, tuple(each for each in back if each))

    def _take_back(self, unit: U, line: Happened, act_id: str) -> Correction | None:
        """Undo one line, and return what holds again by it."""
        now = self.store.get(unit, line.correction_id)
        if now is None or now.state is CorrectionState.ERASED:
            return None
        if line.change in STEERING:
            self._steer_back(unit, line, now, act_id)
            return None
        if line.change is Change.CREATED:
            self.store.wipe(unit, now.id)
            self._note(unit, replace(now, claim="", state=CorrectionState.ERASED), Change.ERASED, act_id)
            return None
        if line.before is None:
            return None
        if line.before.state is CorrectionState.ACTIVE and self._held(unit, line.before):
            return None  # something newer holds the slot; it must not get a rival
        # Having been used since is nothing that an undo takes back.
        back = replace(line.before, last_used_at=now.last_used_at)
        if back.claim != now.claim:
            self.store.offer_again(unit, now.id)
        self._write(unit, back, Change.RESTORED, act_id)
        return back if back.state is CorrectionState.ACTIVE else None

    def _steer_back(self, unit: U, line: Happened, now: Correction, act_id: str) -> None:
        """Undo a line that left its correction as it was."""
        if line.change is Change.KEPT_BOTH:
            self.store.keep_both(unit, now.id, line.other, kept=False)
        else:
            self.store.leave_out(unit, now.id, line.other, out=line.change is Change.BROUGHT_BACK)
        back = {Change.LEFT_OUT: Change.BROUGHT_BACK, Change.BROUGHT_BACK: Change.LEFT_OUT}
        happened = Happened(now.id, back.get(line.change, Change.RESTORED), act_id, self.clock.now(), other=line.other)
        self.store.note(unit, happened, now)
        # Taking back is no act that could be taken back in turn, or undoing twice would do it again.
        self.store.mark_undone(unit, act_id)

    def _changed(self, unit: U, before: Correction, after: Correction) -> Kept:
        if after == before:
            return Kept(before, already=True)
        act_id = self.ids.new()
        if after.claim != before.claim:
            self.store.offer_again(unit, after.id)
        replaced = self._make_room(unit, after, act_id)
        self._write(unit, after, Change.EDITED, act_id, before=before)
        self._link(unit, replaced, after)
        return Kept(after, act_id, replaced)

    def _made(self, draft: Draft, state: CorrectionState) -> Correction:
        made_at = draft.created_at or self.clock.now()
        correction = Correction(
            id=self.ids.new(),
            type=draft.type,
            scope=draft.scope,
            state=state,
            provenance=draft.provenance,
            claim=_checked(draft.claim),
            created_at=made_at,
            subject=storable(draft.subject),
            condition=condition_key(draft.condition),
            instruction=storable(draft.instruction).strip(),
            rejected=storable(draft.rejected),
            reason=storable(draft.reason),
            canonical_query=storable(draft.canonical_query),
            domain=draft.domain,
            project_id=draft.project_id,
            conversation_id=draft.conversation_id,
            confidence=draft.confidence,
            decay_class=draft.decay_class,
            pinned=draft.pinned,
            query_id=draft.query_id,
        )
        return self._slotted(correction)

    @staticmethod
    def _slotted(correction: Correction) -> Correction:
        if correction.type is CorrectionType.MODEL_PREFERENCE:
            return correction
        slot = slot_of(correction.claim, correction.type, correction.canonical_query)
        subject = slot.subject if slot and not says_whole(slot.key) else ""
        return replace(correction, slot=slot.key if slot else None, subject=correction.subject or subject)

    def foreseen(self, unit: U, draft: Draft) -> Kept:
        """Return what would come of `keep`, and store nothing. The correction has an id that nothing will have."""
        correction = self._placed(unit, self._made(draft, CorrectionState.ACTIVE))
        known = self.store.same_words(unit, correction)
        if known is not None and known.state is CorrectionState.ACTIVE:
            return Kept(known, already=True)
        return Kept(correction, replaced=self._rivals(unit, correction))

    def _make_room(
        self, unit: U, correction: Correction, act_id: str, instead_of: Sequence[Correction] = ()
    ) -> tuple[Correction, ...]:
        """Retire what cannot hold beside a correction: who has its slot, and who says the same in the same words.

        What is wider and only hidden where the correction holds stays.
        """
        gone = self._rivals(unit, correction, instead_of)
        for each in gone:
            self._retire(unit, each, None, act_id)
        return gone

    def _rivals(self, unit: U, like: Correction, more: Sequence[Correction] = ()) -> tuple[Correction, ...]:
        """Return what cannot hold beside a correction; more: what it contradicts besides."""
        contradicted = (each for each in more if not _hides(like, each))
        found = (*contradicted, self._held(unit, like), self.store.same_words(unit, like))
        return tuple({each.id: each for each in found if each and each.state is CorrectionState.ACTIVE}.values())

    def _held(self, unit: U, correction: Correction) -> Correction | None:
        """Return who holds the slot of a correction; those without a slot are nobody's rivals."""
        return self.store.in_slot(unit, correction) if correction.slot is not None else None

    def _retire(self, unit: U, held: Correction, by: str | None, act_id: str) -> None:
        gone = replace(held, state=CorrectionState.SUPERSEDED, superseded_by=by)
        self._write(unit, gone, Change.SUPERSEDED, act_id, before=held)

    def _link(self, unit: U, replaced: Sequence[Correction], by: Correction) -> None:
        """Say what took the place of the superseded: only now is there a row to point at."""
        for each in replaced:
            gone = replace(each, state=CorrectionState.SUPERSEDED, superseded_by=by.id)
            self.store.write(unit, gone, _place(gone))

    def _write(
        self,
        unit: U,
        correction: Correction,
        change: Change,
        act_id: str,
        *,
        before: Correction | None = None,
        message_id: str | None = None,
    ) -> None:
        self.store.write(unit, correction, _place(correction), message_id)
        self._note(unit, correction, change, act_id, before)

    def _note(
        self, unit: U, correction: Correction, change: Change, act_id: str, before: Correction | None = None
    ) -> None:
        self.store.note(unit, Happened(correction.id, change, act_id, self.clock.now(), before), correction)

    def _placed(self, unit: U, correction: Correction) -> Correction:
        """Return a correction. Raises NotFoundError when where it is to hold is no more: it would hold nowhere."""
        if not self.store.is_there(unit, correction.scope, _place(correction)):
            raise NotFoundError(
                f"The {correction.scope} in which this is to hold is no more.", remedy="Let it hold elsewhere."
            )
        return correction

    def _known(self, unit: U, correction_id: str) -> Correction:
        found = self.store.get(unit, correction_id)
        if found is None or found.state is CorrectionState.ERASED:
            raise NotFoundError(
                f"Nothing is remembered under {correction_id!r}.",
                remedy="See all on the page Memory, or by auritas memory list --all",
            )
        return found

    def _active(self, unit: U, correction_id: str) -> Correction:
        found = self._known(unit, correction_id)
        if found.state is not CorrectionState.ACTIVE:
            raise WrongStateError(
                f"This is {found.state}, so it enters no prompt.",
                remedy="Confirm a proposal on the page Memory, or by auritas memory confirm ID"
                if found.state is CorrectionState.PROPOSED
                else "Bring back what was superseded with: auritas memory undo, or add it again.",
            )
        return found


def _checked(claim: str) -> str:
    """Return a claim as it is stored. Raises InvalidError for none, or one that is too long."""
    return checked_claim(" ".join(storable(claim).split()))


def _place(correction: Correction) -> str:
    return place_of(correction.scope, correction)


def _hides(narrow: Correction, wide: Correction) -> bool:
    """Whether a wider correction says nothing where a narrower one of its slot holds; see `precedence.rivals`."""
    same = narrow.slot is not None and (narrow.slot, narrow.condition) == (wide.slot, wide.condition)
    return same and BREADTH[wide.scope] > BREADTH[narrow.scope]


def _heir(correction: Correction, instead_of: Sequence[Correction]) -> Correction:
    """Return a correction with the slot of what it replaces or hides: the same thing in other words has one slot.

    A slot that is a whole sentence is not handed on, for it says the old words.
    """
    place = correction.scope, _place(correction)
    near = sorted(instead_of, key=lambda each: (each.scope, _place(each)) != place)
    alike = (
        each for each in near if (each.scope, _place(each)) == place or BREADTH[each.scope] > BREADTH[correction.scope]
    )
    elder = next((each for each in alike if each.slot is not None and not says_whole(each.slot)), None)
    if elder is None:
        return correction
    return replace(correction, slot=elder.slot, condition=correction.condition or elder.condition)
