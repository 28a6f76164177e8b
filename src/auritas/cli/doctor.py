"""`auritas doctor`: what works, what does not, and what to do."""

from typing import TYPE_CHECKING, Annotated

import typer

from auritas.kernel.errors import UnavailableError, VerificationError
from auritas.kernel.text import displayable

if TYPE_CHECKING:
    from auritas.app.doctor import Finding


def register(app: typer.Typer) -> None:
    """Add the command to the tree."""
    app.command(epilog="Example: auritas doctor --check-audit")(doctor)


def doctor(
    *,
    check_audit: Annotated[bool, typer.Option("--check-audit", help="Verify the whole log, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Check store, key, models, log, upkeep and disk, and say what to do."""
    from rich.text import Text

    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        findings = auritas.doctor(check_audit=check_audit)
    if as_json:
        print_json({"ok": all(f.ok for f in findings), "findings": [f.document() for f in findings]})
    else:
        for finding in findings:
            mark, style = _mark(finding)
            out.print(Text.assemble((f"{mark} ", style), (f"{finding.about}: ", "bold"), displayable(finding.text)))
            if finding.remedy and (finding.remark or not finding.ok):
                out.print(plain(f"    {finding.remedy}", "dim"))
    if any(f.damage for f in findings):
        return VerificationError.exit_code
    return 0 if all(f.ok for f in findings) else UnavailableError.exit_code


def _mark(finding: "Finding") -> tuple[str, str]:
    if finding.remark:
        return "!", "yellow"
    return ("✓", "green") if finding.ok else ("✗", "bold red")
