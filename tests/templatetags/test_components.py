"""Tables, cards and notes of templates."""

import re

from django.template import engines


def html_of(source: str, **context: object) -> str:
    html = engines["django"].from_string(source).render(context)
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)).replace("> <", "><").strip()


def test_cells_of_a_stacked_table_have_the_labels_of_their_columns() -> None:
    rows = """
        <tr><th scope="row">wren</th><td class="right">2</td><td data-label="own">x</td><td>y</td></tr>
        <tr><td>all</td><td colspan="2">3</td><td>z</td></tr>
    """
    html = html_of(f'{{% table "System" "Items"|right note "Change"|unseen %}}{rows}{{% endtable %}}', note="A & B")
    assert '<th scope="col" class="right">Items</th><th scope="col">A &amp; B</th>' in html
    assert '<th scope="col"><span class="visually-hidden">Change</span></th>' in html
    assert (
        '<tr><th scope="row">wren</th><td class="right" data-label="Items">2</td><td data-label="own">x</td><td>y</td>'
    ) in html
    assert '<tr><td>all</td><td colspan="2" data-label="Items">3</td><td>z</td></tr>' in html


def test_cells_of_another_table_have_none() -> None:
    html = html_of('{% table "System" "Items" kind="compact" %}<tr><td>wren</td><td>2</td></tr>{% endtable %}')
    assert "<tr><td>wren</td><td>2</td></tr>" in html


def test_a_card_is_named_by_its_heading() -> None:
    html = html_of(
        '{% card "own" heading kind="full-width" %}<p>{{ text }}</p>{% endcard %}', heading="<b>", text="<i>"
    )
    assert html == (
        '<section class="card full-width" aria-labelledby="own"><h2 id="own">&lt;b&gt;</h2><p>&lt;i&gt;</p></section>'
    )


def test_a_note_has_a_tone_and_a_role_if_they_are_given() -> None:
    assert html_of("{% note %}<p>So it is.</p>{% endnote %}") == '<div class="note"><div><p>So it is.</p></div></div>'
    assert '<div class="note" data-tone="danger" role="alert">' in html_of(
        '{% note "danger" role="alert" %}{% endnote %}'
    )
