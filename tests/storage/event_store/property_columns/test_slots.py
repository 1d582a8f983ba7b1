"""Exact texts of numbers in queries: skipped at little cost where there are none, and left out until all have them."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.stores.event_store import EventStore, event, fresh_scope
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS
from tallyroom.storage.event_store.property_columns.slots import SlotName, compile_slots, slot_sql

KEY = "n"
WIDE = "9007199254740993"


def compiled(name: SlotName, *, has_number_texts: bool) -> str:
    sql = slot_sql(name, NUMBER_TEXTS, "key")
    return compile_slots(sql, {"key": KEY}, lambda _: "p_n", has_number_texts=has_number_texts).sql


def test_without_the_column_a_query_does_not_name_it() -> None:
    names: tuple[SlotName, ...] = ("in_map", "has_value", "value", "value_rows", "skip_hint")
    for name in names:
        assert NUMBER_TEXTS not in compiled(name, has_number_texts=False)
        assert "number_texts" in compiled(name, has_number_texts=True)


def test_exact_texts_count_as_no_read_of_a_property() -> None:
    sql = slot_sql("value", NUMBER_TEXTS, "key")
    assert not compile_slots(sql, {"key": KEY}, lambda _: None, has_number_texts=True).property_reads


def test_a_query_may_ask_whether_all_events_have_the_column() -> None:
    for has_number_texts, flag in ((True, "1"), (False, "0")):
        sql = f"SELECT {HAS_NUMBER_TEXTS_SQL}"
        assert compile_slots(sql, {}, lambda _: None, has_number_texts=has_number_texts).sql == f"SELECT {flag}"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=10)
@given(st.lists(st.sampled_from([f'{{"n":{WIDE}}}', '{"n":1}', f'{{"m":{WIDE}}}', "{}"]), min_size=1, max_size=20))
def test_the_condition_is_true_for_events_with_an_exact_text(event_store: EventStore, properties: list[str]) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, properties=text.encode()) for text in properties])
    for has_number_texts in (True, False):
        condition = compiled("in_map", has_number_texts=has_number_texts)
        value = compiled("value", has_number_texts=has_number_texts)
        rows = event_store.select(
            f"SELECT toBool({condition}), {value} FROM events WHERE {{scope}} ORDER BY seq", scope, key=KEY
        )
        has_texts = [has_number_texts and text == f'{{"n":{WIDE}}}' for text in properties]
        assert rows == [[has_text, WIDE if has_text else ""] for has_text in has_texts]
        query = f"SELECT count() FROM events WHERE {{scope}} AND NOT {condition}"
        assert event_store.select(query, scope, key=KEY) == [[has_texts.count(False)]]
