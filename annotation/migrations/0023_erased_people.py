"""Erased people: when an account became a pseudonym, and functions that find and replace a person's names.

`annotation_erase_names_in_audit` runs with the rights of the tables' owner, because the role of the site may not update
audit events. It can do one thing: replace the names of one account by its pseudonym, and remove what identifies the
account otherwise (network codes, e-mail addresses, display names). It takes no text from outside but the pseudonym,
whose form it checks.
"""

from django.db import migrations, models

NAMES_OF = """
CREATE FUNCTION annotation_names_of(person bigint) RETURNS text[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH RECURSIVE usernames(name) AS (
        SELECT username::text FROM annotation_user WHERE id = person
        UNION
        SELECT event.before ->> 'username' FROM usernames
        JOIN annotation_auditevent event ON event.action = 'change user' AND event.after ->> 'username' = usernames.name
    ), targets(target) AS (
        SELECT 'user:' || name FROM usernames
    ), names(name) AS (
        SELECT name FROM usernames
        UNION SELECT trim(first_name || ' ' || last_name) FROM annotation_user WHERE id = person
        UNION SELECT email FROM annotation_user WHERE id = person
        UNION SELECT email FROM account_emailaddress WHERE user_id = person
        UNION SELECT unnest(ARRAY[event.before #>> '{}', event.after #>> '{}'])
            FROM annotation_auditevent event JOIN targets USING (target) WHERE event.action = 'set display name'
        UNION SELECT unnest(ARRAY[event.before ->> 'email', event.after ->> 'email'])
            FROM annotation_auditevent event JOIN targets USING (target)
            WHERE event.action IN ('create user', 'change user')
    )
    SELECT coalesce(array_agg(name ORDER BY length(name) DESC, name), '{}') FROM names
    WHERE name <> '' AND (
        name = (SELECT username FROM annotation_user WHERE id = person)
        OR NOT EXISTS (
            SELECT FROM annotation_user other WHERE other.id <> person
                AND lower(name) IN (lower(username), lower(trim(first_name || ' ' || last_name)), lower(email))
        )
    )
$$
"""
WITHOUT_NAMES = r"""
CREATE FUNCTION annotation_without_names(value text, names text[], pseudonym text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
DECLARE words text;
BEGIN
    IF lower(value) IN ('rater', 'lead', 'admin', 'judge', 'gold', 'adjudicator') THEN
        RETURN value;
    ELSIF EXISTS (SELECT FROM unnest(names) name WHERE lower(name) = lower(value)) THEN
        RETURN pseudonym;
    END IF;
    SELECT string_agg(regexp_replace(name, '([^[:alnum:]_])', '\\\1', 'g'), '|' ORDER BY length(name) DESC)
    INTO words FROM unnest(names) name
    WHERE length(name) > 2 AND lower(name) NOT IN ('rater', 'lead', 'admin', 'judge', 'gold', 'adjudicator');
    IF words IS NULL THEN
        RETURN value;
    END IF;
    RETURN regexp_replace(
        value, '(?<![[:alnum:]_])(?<![[:alnum:]]-)(' || words || ')(?![[:alnum:]_@]|[-+.][[:alnum:]])', pseudonym, 'gi'
    );
END
$$;
CREATE FUNCTION annotation_without_names(value jsonb, names text[], pseudonym text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
BEGIN
    RETURN CASE jsonb_typeof(value)
        WHEN 'string' THEN to_jsonb(annotation_without_names(value #>> '{}', names, pseudonym))
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(annotation_without_names(element, names, pseudonym) ORDER BY n), '[]')
            FROM jsonb_array_elements(value) WITH ORDINALITY AS elements(element, n)
        )
        WHEN 'object' THEN (
            SELECT coalesce(jsonb_object_agg(
                annotation_without_names(key, names, pseudonym), annotation_without_names(element, names, pseudonym)
            ), '{}') FROM jsonb_each(value) AS elements(key, element)
        )
        ELSE value
    END;
END
$$
"""
IN_AUDIT = """
CREATE FUNCTION annotation_erase_names_in_audit(person bigint, pseudonym text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    names text[] := annotation_names_of(person);
    targets text[];
    changed bigint;
BEGIN
    IF pseudonym !~ '^erased-[0-9a-f]{12}$' OR NOT EXISTS (
        SELECT FROM annotation_user WHERE id = person AND erased_at IS NULL
    ) THEN
        RAISE EXCEPTION 'no account to erase under this pseudonym';
    END IF;
    SELECT array_agg('user:' || name) INTO targets FROM unnest(names) name;
    UPDATE annotation_auditevent event SET
        target = CASE WHEN target = ANY (targets) THEN 'user:' || pseudonym ELSE target END,
        before = CASE
            WHEN target <> ALL (targets) THEN annotation_without_names(before, names, pseudonym)
            WHEN action = 'set display name' THEN NULL
            WHEN jsonb_typeof(before) = 'object' AND action IN ('create user', 'change user')
                THEN before - ARRAY['email', 'username']
            ELSE annotation_without_names(before, names, pseudonym)
        END,
        after = CASE
            WHEN target <> ALL (targets) THEN annotation_without_names(after, names, pseudonym)
            WHEN action = 'set display name' THEN NULL
            WHEN jsonb_typeof(after) = 'object' AND action IN ('create user', 'change user')
                THEN after - ARRAY['email', 'username']
            WHEN jsonb_typeof(after) = 'object' AND action IN ('sign in', 'sign out', 'fail to sign in')
                THEN after - 'from'
            ELSE annotation_without_names(after, names, pseudonym)
        END
    WHERE target = ANY (targets) OR EXISTS (
        SELECT FROM unnest(names) name
        WHERE strpos(lower(concat(before, ' ', after)), lower(trim('"' FROM to_jsonb(name)::text))) > 0
    );
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION annotation_erase_names_in_audit FROM PUBLIC
"""
DROP = """
DROP FUNCTION annotation_erase_names_in_audit;
DROP FUNCTION annotation_without_names(jsonb, text[], text);
DROP FUNCTION annotation_without_names(text, text[], text);
DROP FUNCTION annotation_names_of
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0022_api_token_limits"),
        ("account", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="erased_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the person was erased. The user name is a pseudonym since then.",
                null=True,
            ),
        ),
        migrations.RunSQL([NAMES_OF, WITHOUT_NAMES, IN_AUDIT], DROP),
    ]
