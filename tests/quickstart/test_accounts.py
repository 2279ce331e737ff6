from annotation.quickstart.accounts import ADMIN_ONLY, SAMPLE_ACCOUNTS, starting_points


def test_every_role_has_an_account_a_password_and_a_first_page_and_an_empty_site_begins_with_the_admin():
    lines = [line.split() for line in starting_points("http://localhost:8000", SAMPLE_ACCOUNTS)[1:]]
    pages = {("admin", "admin"): "", ("lead", "lena"): "projects/demo/", ("rater", "ravi"): "projects/demo/"}
    for account, page in pages.items():
        assert [*account, "factuary-demo", f"http://localhost:8000/{page}"] in lines
    assert len(starting_points("http://localhost:8000", ADMIN_ONLY)) == 2
