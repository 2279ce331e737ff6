"""A function that deletes the network codes in old events of sign-ins, with the rights of the tables' owner.

The role of the site may not update audit events. The function can do this alone: it takes a time, at least a day ago.
"""

from django.db import migrations

CREATE = """
CREATE FUNCTION annotation_delete_network_codes(older_than timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE changed bigint;
BEGIN
    IF older_than > now() - interval '1 day' THEN
        RAISE EXCEPTION 'network codes are kept for a day at least';
    END IF;
    UPDATE annotation_auditevent SET after = after - 'from'
    WHERE at < older_than AND action IN ('sign in', 'sign out', 'fail to sign in') AND after ? 'from';
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION annotation_delete_network_codes FROM PUBLIC
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0023_erased_people")]

    operations = [migrations.RunSQL(CREATE, "DROP FUNCTION annotation_delete_network_codes")]
