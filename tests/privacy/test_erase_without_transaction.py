"""Pages and commands check whether a person can be erased before they begin a transaction."""

import pytest

from annotation.accounts.names import PersonError
from annotation.privacy.erase import check_erasable
from tests.cast import person, signed_in


@pytest.mark.django_db(transaction=True)
def test_the_only_admin_is_found_without_a_transaction():
    ada = person("ada", admin=True)
    with pytest.raises(PersonError, match="only admin"):
        check_erasable(ada)
    person("ines", admin=True)
    assert signed_in("ada").get("/people/ines/erase/").status_code == 200
