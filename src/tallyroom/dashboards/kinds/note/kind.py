"""The note as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_it_is, no_preview, no_title
from tallyroom.dashboards.kinds.note.question import Note, NoteConfig, build_display, build_query_plan, check_config
from tallyroom.dashboards.mail.contents import MailNote
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.kind import no_window

NOTE = Kind(
    name="note",
    config=NoteConfig,
    results=(Note,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=None,
    find_contrast=None,
    find_covered_window=no_window,
    is_empty=lambda _result: False,
    title=no_title,
    build_display=build_display,
    build_outline=lambda _config: Outline("note"),
    build_public_result=as_it_is,
    build_withheld_result=None,
    build_chart=None,
    build_mail_contents=lambda _widget, result: [MailNote(result.text)],
    choose_preview_form=no_preview,
)
