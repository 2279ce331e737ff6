from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.test.utils import CaptureQueriesContext

from annotation.models import Document, Item, Membership, Project, Sheet, Slot, User
from annotation.site.composed_queries import ComposedQuery
from tests.cast import person, study

pytestmark = pytest.mark.django_db

MEMBERSHIP = ComposedQuery(
    lambda slug, user: (
        Membership.objects.select_related("project__protocol", "user")
        .annotate(leads=Exists(Membership.objects.filter(project=OuterRef("project"), role="lead")))
        .filter(project__slug=slug, user=user)
    ),
    2,
)


def test_the_rows_are_instances_with_related_objects_and_annotations() -> None:
    june, july = study(slug="june"), study(slug="july")
    for project in (june.project, july.project):
        for name in ("ravi", "lena"):
            user = person(name)
            membership = MEMBERSHIP.first(project.slug, user.pk)
            expected = Membership.objects.get(project=project, user=user)
            assert (membership, membership.role) == (expected, expected.role)
            with CaptureQueriesContext(connection) as captured:
                assert membership.project.protocol.definition == project.protocol.definition
                assert membership.user.username == name
                assert membership.leads is True
            assert len(captured) == 0
    assert MEMBERSHIP.first("june", person("tom").pk) is None


def test_json_and_deferred_columns_are_those_of_the_model() -> None:
    june = study()
    query = ComposedQuery(
        lambda sheet: Sheet.objects.select_related("document").defer("document__sections").filter(pk=sheet), 1
    )
    sheet = june.project.sheets.first()
    [found] = query.all(sheet.pk)
    expected = Document.objects.get(pk=sheet.document_id)
    assert found.document.metadata == expected.metadata
    assert found.document.get_deferred_fields() == {"sections"}
    assert found.document.sections == expected.sections


@pytest.mark.django_db(transaction=True)
def test_the_sql_is_composed_once_for_all_threads_which_use_their_own_connections() -> None:
    people = [person(name) for name in ("ravi", "rosa", "lena", "tom")]
    composed = []
    query = ComposedQuery(lambda pk: composed.append(pk) or User.objects.filter(pk=pk), 1)
    assert query.first(people[0].pk) == people[0]

    def find(user: User) -> User | None:
        try:
            return query.first(user.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(find, people * 5)) == people * 5
    assert len(composed) == 1


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only() -> None:
    study()
    query = ComposedQuery(lambda pk: Slot.objects.select_for_update(of=("self",)).filter(pk=pk), 1)
    slot = Slot.objects.first()
    with transaction.atomic():
        assert query.first(slot.pk) == slot  # composed here
    with pytest.raises(transaction.TransactionManagementError, match="in a transaction only"):
        query.first(slot.pk)


def test_text_of_a_request_stays_a_value_and_what_a_row_cannot_hold_is_refused() -> None:
    study()
    query = ComposedQuery(lambda slug: Project.objects.filter(Q(slug=slug)), 1)
    assert query.first("june' OR TRUE --") is query.first("%s") is None
    with pytest.raises(TypeError, match="prefetch"):
        ComposedQuery(lambda pk: Item.objects.prefetch_related("ratings").filter(pk=pk), 1).all(1)
    with pytest.raises(TypeError, match="returns models"):
        ComposedQuery(lambda pk: Item.objects.filter(pk=pk).values("pk"), 1).all(1)
