"""Every way to name a person follows one rule: spellings of one name are one person."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from annotation.accounts.names import PersonError, names_to_change
from annotation.accounts.sign_ins import account_named
from annotation.accounts.users import create_user, rename_user, set_display_name
from annotation.models import Membership, User
from annotation.privacy.erase import erase_person
from annotation.projects.invitations import InvitationErrors, Invitee, invite_people
from annotation.projects.members import account_named as member_named
from annotation.projects.members import membership_of
from annotation.web.accounts.adapter import AccountAdapter
from tests.api.clients import program, send
from tests.cast import PASSWORD, person, signed_in, study

pytestmark = pytest.mark.django_db

SPELLINGS = [("weiß", "WEISS"), ("jose\u0301", "ＪＯＳÉ")]
"""Which spellings are one name is tested with `name_key`."""


def by_command(name: str) -> None:
    call_command("create_user", name)


def by_page(name: str) -> None:
    signed_in("ada", admin=True).post("/people/", {"username": name})


def by_api(name: str) -> None:
    assert send(program("ada", admin=True), "POST", "people/", {"username": name})[0] == 400


def by_invitation(name: str) -> None:
    ada = person("ada", admin=True)
    invite_people(study(slug="june").project, [Invitee(1, name)], "rater", actor=ada)


def by_admin_site(name: str) -> None:
    form = {"username": name, "usable_password": "false"}
    assert signed_in("ada", admin=True).post("/admin/annotation/user/add/", form).status_code == 200


def by_sign_in_provider(name: str) -> None:
    assert AccountAdapter().generate_unique_username([name]) != name


@pytest.mark.parametrize(("stored", "spelling"), SPELLINGS)
@pytest.mark.parametrize("create", [by_command, by_page, by_api, by_invitation, by_admin_site, by_sign_in_provider])
def test_a_spelling_of_a_name_makes_no_second_account(
    create: Callable[[str], None], stored: str, spelling: str
) -> None:
    first = person(stored)
    with suppress(CommandError, SystemExit, InvitationErrors):
        create(spelling)
    assert list(User.objects.with_same_key(stored)) == [first]
    assert Client().login(username=spelling, password=PASSWORD)


@pytest.mark.parametrize(("stored", "spelling"), SPELLINGS)
def test_every_look_up_finds_the_person_by_any_spelling(stored: str, spelling: str) -> None:
    june = study()
    named = person(stored)
    call_command("add_member", june.project.slug, spelling, "--role", "rater")
    call_command("create_token", spelling)
    assert named.api_tokens.count() == 1
    assert Membership.objects.get(user=named).project == june.project
    assert member_named(spelling) == account_named(spelling) == membership_of(june.project, spelling).user == named
    for address in (f"people/{spelling}/", f"projects/june/members/{spelling}/"):
        assert send(program("ada", admin=True), "GET", address)[1]["username"] == stored
    with pytest.raises(PersonError, match="another person is called"):
        set_display_name(person("rosa"), spelling)


def test_an_exact_spelling_is_found_first_and_an_open_account_signs_in() -> None:
    tom, imported = person("tom"), shadowed("Tom")
    assert User.objects.named("Tom") == imported
    assert User.objects.named("TOM") == User.objects.named("tom") == tom
    User.objects.filter(pk=imported.pk).update(is_active=False)
    assert all(Client().login(username=name, password=PASSWORD) for name in ("tom", "Tom", "TOM"))
    imported.refresh_from_db()
    imported.save()
    imported.refresh_from_db()
    assert imported.name_key == f"tom#{imported.pk}"


def test_a_renamed_account_frees_its_name() -> None:
    tom, imported = person("tom"), shadowed("Tom")
    assert names_to_change() == [imported]
    rename_user(tom, "thomas")
    imported.refresh_from_db()
    assert imported.name_key == "tom"
    assert names_to_change() == []
    with pytest.raises(PersonError, match="user 'Tom' has this name"):
        rename_user(person("rosa"), "tom")
    rename_user(User.objects.get(pk=tom.pk), "thomas.b")
    assert User.objects.get(pk=tom.pk).original_name == "tom"


@pytest.mark.parametrize("names", [("thomas", "tommy"), ("thomas", "tom"), ("thomas", "Tom")])
def test_all_names_that_an_account_ever_had_stay_its_own(names: tuple[str, str]) -> None:
    tom = person("tom")
    for name in names:
        rename_user(tom, name)
    assert User.objects.get(pk=tom.pk).original_name == (None if names[1] == "tom" else "tom")
    for taken in ("tom", "thomas", "THOMAS"):
        with pytest.raises(PersonError, match="choose another name"):
            create_user(taken)
        with pytest.raises(PersonError, match="choose another name"):
            rename_user(person("rosa"), taken)
        with pytest.raises(PersonError, match="another person is called"):
            set_display_name(person("ravi"), taken)
        assert AccountAdapter().generate_unique_username([taken]) != taken
    with pytest.raises(PersonError, match=f"'thomas' was a name of '{names[1]}'"):
        create_user("thomas")
    assert User.objects.in_data(["thomas"]) == {"thomas": tom}
    erase_person(tom)
    assert create_user("thomas").username == "thomas"


@pytest.mark.parametrize("name", [".", "..", "．．", "a/b", "a b", "x" * 151, "ß" * 80])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(PersonError, match="user name"):
        create_user(name)
    with pytest.raises(PersonError, match="user name"):
        rename_user(person("tom"), name)


def test_a_page_and_a_command_rename_also_a_name_that_addresses_cannot_have(capsys: Any) -> None:
    dots = User.objects.create(username="..")
    client = signed_in("ada", admin=True)
    assert "These user names differ" in client.get("/people/").content.decode()
    page = client.post("/people/rename/", {"person": dots.pk, "username": "dots"}, follow=True).content.decode()
    assert "The user name .. is now dots." in page
    assert "These user names differ" not in page
    page = client.post("/people/rename/", {"person": dots.pk, "username": "ADA"}, follow=True).content.decode()
    assert "user &#x27;ada&#x27; has this name" in page.lower()
    call_command("rename_user", "DOTS", "points")
    assert capsys.readouterr().err == "DOTS is now points\n"


def test_a_program_renames_an_account() -> None:
    ada, tom = program("ada", admin=True), person("tom")
    status, renamed = send(ada, "PATCH", "people/TOM/", {"username": "thomas", "active": False})
    assert (status, renamed["username"], renamed["active"]) == (200, "thomas", False)
    assert send(ada, "PATCH", "people/thomas/", {})[0] == 400
    assert send(ada, "PATCH", "people/thomas/", {"username": "ADA"})[0] == 400
    assert User.objects.get(pk=tom.pk).username == "thomas"


def test_the_admin_site_renames_and_refuses_spellings() -> None:
    tom, client = person("tom"), signed_in("ada", admin=True)
    address, form = f"/admin/annotation/user/{tom.pk}/change/", {"first_name": "", "last_name": "", "email": ""}
    assert "has this name" in client.post(address, {**form, "username": "Ada", "is_active": "on"}).content.decode()
    assert client.post(address, {**form, "username": "thomas", "is_active": "on"}).status_code == 302
    tom.refresh_from_db()
    assert (tom.username, tom.name_key, tom.original_name) == ("thomas", "thomas", "tom")


def test_a_lead_is_recognized_by_any_spelling() -> None:
    june = study()
    signed_in("lena").post("/projects/june/members/", {"username": "ＬＥＮＡ", "role": "rater"})
    assert Membership.objects.get(user=june.people["lena"]).role == "lead"


@pytest.mark.django_db(transaction=True)
def test_of_two_creations_at_once_one_is_refused() -> None:
    outcomes: list[str] = []

    def create(name: str) -> None:
        try:
            outcomes.append(create_user(name).username)
        except PersonError as error:
            outcomes.append(str(error))
        finally:
            connection.close()

    threads = [Thread(target=create, args=[name]) for name in ("Vera", "vera")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert User.objects.with_same_key("vera").count() == 1
    assert sum("already exists" in each or "has this name" in each for each in outcomes) == 1


def shadowed(name: str) -> User:
    """Return an account whose name another one has in another spelling, as the upgrade leaves it."""
    account = person(f"{name}.")
    User.objects.filter(pk=account.pk).update(username=name, name_key=f"{name.lower()}#{account.pk}")
    account.refresh_from_db()
    return account


def test_admins_find_a_renamed_person_by_the_name_in_exports() -> None:
    rename_user(person("ravi"), "rahul")
    page = signed_in("root", admin=True).get("/people/", {"find": "ravi"}).content.decode()
    assert "rahul" in page and "in exports: ravi" in " ".join(page.split())
