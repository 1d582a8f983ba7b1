"""The note as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_it_is, no_preview, no_title
from tallyroom.dashboards.kinds.note.question import Note, NoteConfig, check, display, query_plan
from tallyroom.dashboards.mail.contents import MailNote
from tallyroom.queries.kind import no_window

NOTE = Kind(
    name="note",
    config=NoteConfig,
    results=(Note,),
    check=check,
    query_plan=query_plan,
    drill_down=None,
    covered_window=no_window,
    is_empty=lambda _result: False,
    title=no_title,
    display=display,
    public_form=as_it_is,
    withheld=None,
    picture=None,
    mail=lambda _widget, result: [MailNote(result.text)],
    preview=no_preview,
)
