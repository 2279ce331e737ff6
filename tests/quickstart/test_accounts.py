"""Where each role begins, as `make demo` prints it."""

from annotation.quickstart.accounts import ADMIN_ONLY, SAMPLE_ACCOUNTS, starting_points


def test_every_role_has_an_account_a_password_and_a_first_page():
    lines = [line.split() for line in starting_points("http://localhost:8000", SAMPLE_ACCOUNTS)[1:]]
    assert ["admin", "admin", "factuary-demo", "http://localhost:8000/"] in lines
    assert ["lead", "lena", "factuary-demo", "http://localhost:8000/projects/demo/"] in lines
    assert ["rater", "ravi", "factuary-demo", "http://localhost:8000/projects/demo/"] in lines


def test_an_empty_site_begins_with_the_admin():
    assert len(starting_points("http://localhost:8000", ADMIN_ONLY)) == 2
