"""The audit log: entries, roots, checkpoints, proofs, and verifying everything."""

from typing import Annotated

from fastapi import Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.progress import told
from auritas.app.shapes.audit import Kind, check_text
from auritas.server import wire
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import DEFAULT_LIMIT, Limit
from auritas.server.router import Router
from auritas.server.routes import audit_views as views

router = Router(prefix="/api/v1/audit", tags=["audit"])
_READS = needs(Scope.STATUS)
_CHANGED = "audit"
_NUMBERS = 2**53
Seq = Annotated[int, Path(ge=0, lt=_NUMBERS, description="Number of the entry.")]
BeforeSeq = Annotated[int | None, Query(ge=0, lt=_NUMBERS, description="Only entries before this number.")]
OfKind = Annotated[Kind | None, Query(description="Only entries of this kind.")]
OfTrace = Annotated[str | None, Query(max_length=64, description="Only entries about this trace.")]
BeforeSize = Annotated[int | None, Query(ge=0, lt=_NUMBERS, description="Only checkpoints over fewer entries.")]


class VerifyWanted(BaseModel):
    """What to verify against. heads: that were kept elsewhere, each as `size:root` with the root in hex."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"heads": []}]})
    heads: list[Annotated[str, Field(max_length=100, pattern=r"^[0-9]{1,16}:[0-9a-fA-F]{64}$")]] = Field(
        [], max_length=100
    )


class ProofGiven(BaseModel):
    """A proof to be checked, of this log or any other. key: the verifier key of its log; witness_keys: of witnesses."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"proof": "c2sp.org/tlog-proof@v1\n…", "key": views.KEY, "witness_keys": []}]}
    )
    proof: str = Field(max_length=200_000)
    key: str = Field(max_length=500)
    witness_keys: list[Annotated[str, Field(max_length=500)]] = Field([], max_length=20)


@router.get("/entries", dependencies=[_READS], responses=shows(views.ENTRIES))
def list_entries(
    mine: Mine, limit: Limit = DEFAULT_LIMIT, before: BeforeSeq = None, kind: OfKind = None, trace: OfTrace = None
) -> views.EntryLines:
    """List entries, newest first. They hold ids, numbers and commitments, never content."""
    return views.lines_of(mine.audit.show(limit, cursor=before, kind=kind, trace_id=trace))


@router.get("/entries/{seq}", dependencies=[_READS], responses=shows(views.ENTRY_DETAIL))
def show_entry(mine: Mine, seq: Seq) -> views.EntryDetail:
    """Return one entry and the checkpoint that covers it, if one does."""
    entry, checkpoint = mine.audit.entry(seq)
    return views.EntryDetail(
        entry=views.entry_of(entry), checkpoint=views.checkpoint_of(checkpoint) if checkpoint else None
    )


@router.get("/root", dependencies=[_READS], responses=shows(views.ROOT))
def show_root(mine: Mine) -> views.RootView:
    """Return where the log stands, the key to check it with, the last checkpoint, and the daily roots."""
    return views.root_of(mine.audit.root())


@router.get("/checkpoints", dependencies=[_READS], responses=shows(views.CHECKPOINTS))
def list_checkpoints(mine: Mine, limit: Limit = DEFAULT_LIMIT, before: BeforeSize = None) -> views.CheckpointLines:
    """List signed checkpoints, the largest first."""
    found, following = mine.audit.checkpoints(limit, before)
    return views.CheckpointLines(items=[views.checkpoint_of(each) for each in found], next=following)


@router.post("/checkpoints", status_code=201, dependencies=[needs(Scope.BATCH)], responses=shows(views.CHECKPOINT, 201))
def sign_checkpoint(mine: Mine, desk: Desk) -> views.CheckpointView:
    """Sign the log as it stands, or return the last checkpoint when nothing happened since."""
    signed = views.checkpoint_of(mine.audit.checkpoint())
    desk.changed(_CHANGED)
    return signed


@router.post("/entries/{seq}/proof", dependencies=[needs(Scope.BATCH)], responses=shows(views.PROOF))
def prove_entry(mine: Mine, desk: Desk, seq: Seq) -> views.ProofView:
    """Return a proof of one entry that anybody can check offline, and what it proves.

    Where no checkpoint covers the entry yet, one is signed first. Save `text` under `filename`.
    """
    made = mine.audit.prove(seq)
    desk.changed(_CHANGED)
    return views.ProofView(
        filename=f"entry-{seq}.tlog-proof",
        text=made.text,
        key=made.key,
        level=made.level,
        proves=views.proven_of(check_text(made.text, made.key)),
    )


@router.post("/check", dependencies=[_READS], responses=shows(views.PROVEN))
def check_proof(given: ProofGiven) -> views.ProvenView:
    """Check a proof, of this log or any other, and return what it proves."""
    return views.proven_of(check_text(given.proof, given.key, given.witness_keys))


@router.post("/verify", status_code=201, dependencies=[needs(Scope.BATCH)], response_model=wire.RunView)
async def verify_log(mine: Mine, desk: Desk, wanted: VerifyWanted) -> Response:
    """Begin to verify the whole log; follow the run. It fails where something cannot be trusted, and says where."""
    run = desk.start(
        "verify",
        "Verify the audit log",
        lambda: told("verify", lambda steps: mine.audit.verifying(wanted.heads, steps), mine.spawner),
    )
    return Response(wire.run_json(run), 201, media_type="application/json")
