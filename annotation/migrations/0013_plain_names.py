"""Name tables, constraints and indexes with the terms of the glossary: slot, bookmark, rater question, import."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation


class RenameConstraintsAndIndexes(Operation):
    """Rename many at once: one operation each would build all models again for every name, which takes seconds."""

    reversible = True

    def __init__(self, constraints, indexes):
        self.constraints, self.indexes = constraints, indexes

    def state_forwards(self, app_label, state):
        for model_name, old_name, new_name in self.constraints:
            options = state.models[app_label, model_name].options
            options['constraints'] = [self._renamed(each, old_name, new_name) for each in options['constraints']]
        for model_name, old_name, new_name in self.indexes:
            options = state.models[app_label, model_name].options
            options['indexes'] = [self._renamed(each, old_name, new_name) for each in options['indexes']]
        names = {name for name, _, _ in [*self.constraints, *self.indexes]}
        state.reload_models({(app_label, name) for name in names}, delay=True)

    @staticmethod
    def _renamed(constraint, old_name, new_name):
        if constraint.name != old_name:
            return constraint
        path, args, kwargs = constraint.deconstruct()
        return type(constraint)(*args, **{**kwargs, 'name': new_name})

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for model_name, old_name, new_name in self.constraints:
            self._rename_constraint(to_state.apps.get_model(app_label, model_name), schema_editor, old_name, new_name)
        for _, old_name, new_name in self.indexes:
            self._rename_index(schema_editor, old_name, new_name)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for model_name, old_name, new_name in self.constraints:
            self._rename_constraint(to_state.apps.get_model(app_label, model_name), schema_editor, new_name, old_name)
        for _, old_name, new_name in self.indexes:
            self._rename_index(schema_editor, new_name, old_name)

    @staticmethod
    def _rename_constraint(model, schema_editor, old_name, new_name):
        quote = schema_editor.quote_name
        schema_editor.execute(
            f'ALTER TABLE {quote(model._meta.db_table)} RENAME CONSTRAINT {quote(old_name)} TO {quote(new_name)}'
        )

    @staticmethod
    def _rename_index(schema_editor, old_name, new_name):
        quote = schema_editor.quote_name
        schema_editor.execute(f'ALTER INDEX {quote(old_name)} RENAME TO {quote(new_name)}')

    def describe(self):
        return 'Rename constraints and indexes'


CONSTRAINTS = [
    ('document', 'one_document_a_key', 'unique_document_key'),
    ('prompt', 'one_prompt_a_key', 'unique_prompt_key'),
    ('system', 'one_system_a_name', 'unique_system_name'),
    ('response', 'one_response_a_key', 'unique_response_key'),
    ('guidelineversion', 'one_guideline_a_number', 'unique_guideline_number'),
    ('raterquestion', 'inquiry_kind_is_known', 'rater_question_kind_valid'),
    ('raterquestion', 'a_question_has_words', 'question_text_required'),
    ('raterquestion', 'an_answer_has_words_and_a_time', 'answer_text_and_time_required'),
    ('bookmark', 'one_mark_an_item', 'unique_bookmark'),
    ('item', 'one_item_a_position', 'unique_item_position'),
    ('item', 'item_span_is_not_empty', 'item_span_not_empty'),
    ('item', 'only_a_pair_has_two_responses', 'two_responses_only_for_pair'),
    ('item', 'item_unit_is_known', 'item_unit_valid'),
    ('protocolversion', 'one_protocol_a_version', 'unique_protocol_version'),
    ('project', 'overlap_is_1_to_100', 'overlap_between_1_and_100'),
    ('project', 'target_half_width_is_a_share', 'target_half_width_valid'),
    ('project', 'ahead_is_1_to_10', 'ahead_between_1_and_10'),
    ('project', 'pass_mark_is_a_share', 'pass_mark_between_0_and_1'),
    ('project', 'not_everything_is_gold', 'gold_every_at_least_2'),
    ('project', 'least_gold_is_a_share', 'least_gold_between_0_and_1'),
    ('sheet', 'one_sheet_a_response', 'unique_sheet'),
    ('sheet', 'sheet_purpose_is_known', 'sheet_purpose_valid'),
    ('assignment', 'one_assignment_a_rater', 'unique_assignment'),
    ('assignment', 'what_is_finished_is_not_given_back', 'assignment_finished_xor_released'),
    ('assignment', 'assignment_purpose_is_known', 'assignment_purpose_valid'),
    ('slot', 'one_place_a_number', 'unique_slot_number'),
    ('slot', 'place_is_free_leased_or_finished', 'slot_free_leased_or_finished'),
    ('slot', 'what_is_offered_again_is_held', 'reoffered_slot_has_holder'),
    ('reservation', 'one_reservation_a_rater', 'unique_reservation'),
    ('attempt', 'one_attempt_a_number', 'unique_attempt_number'),
    ('attempt', 'attempt_purpose_is_known', 'attempt_purpose_valid'),
    ('attempt', 'no_more_right_than_answered', 'attempt_right_at_most_items'),
    ('reply', 'one_reply_a_rater', 'unique_reply'),
    ('rating', 'one_rating_a_rater', 'unique_rating'),
    ('rating', 'rating_role_is_known', 'rating_role_valid'),
    ('rating', 'seconds_are_not_negative', 'seconds_not_negative'),
    ('rating', 'a_rating_has_answers', 'rating_answers_required'),
    ('rating', 'only_raters_count', 'only_rater_role_counts'),
    ('rating', 'suggestions_are_known', 'suggestions_valid'),
    ('tally', 'one_tally_a_key', 'unique_tally_key'),
    ('job', 'job_state_is_known', 'job_state_valid'),
    ('job', 'job_has_ended_when_its_state_says_so', 'job_ended_at_matches_state'),
    ('membership', 'one_role_a_project', 'unique_membership'),
    ('membership', 'membership_role_is_known', 'membership_role_valid'),
]
INDEXES = [
    ('auditevent', 'audit_of_a_project', 'audit_by_project'),
    ('raterquestion', 'open_inquiries', 'open_rater_questions'),
    ('raterquestion', 'inquiries_about_an_item', 'rater_questions_by_item'),
    ('sheet', 'sheets_set_aside', 'sheets_not_work'),
    ('assignment', 'assignments_of_a_rater', 'assignments_by_rater'),
    ('assignment', 'unfinished_of_a_rater', 'unfinished_by_rater'),
    ('assignment', 'taken_but_not_as_work', 'assignments_not_work'),
    ('slot', 'open_places', 'open_slots'),
    ('slot', 'open_places_of_a_document', 'open_slots_by_document'),
    ('slot', 'offered_again', 'reoffered_slots'),
    ('reservation', 'reservations_of_a_rater', 'reservations_by_rater'),
    ('rating', 'ratings_of_a_project', 'ratings_by_project'),
    ('ratingevent', 'history_of_an_answer', 'history_by_item_rater'),
    ('ratingevent', 'receipts', 'receipts_by_idempotency'),
]


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0001_squashed_0012_changes_name_their_items'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(model_name='place', name='finished_place_is_used_up'),
        pgtrigger.migrations.RemoveTrigger(model_name='place', name='holder_is_of_the_sheet'),
        pgtrigger.migrations.RemoveTrigger(model_name='rating', name='rating_is_under_its_lease'),
        migrations.RenameModel('Place', 'Slot'),
        migrations.RenameModel('Inquiry', 'RaterQuestion'),
        migrations.RenameModel('Mark', 'Bookmark'),
        migrations.RenameModel('Load', 'DatasetImport'),
        migrations.RemoveConstraint(model_name='bookmark', name='mark_reason_is_known'),
        migrations.RenameField('bookmark', 'why', 'reason'),
        migrations.RenameField('bookmark', 'made_at', 'created_at'),
        migrations.RenameField('datasetimport', 'what', 'kind'),
        migrations.RenameField('datasetimport', 'loaded_by', 'imported_by'),
        migrations.RenameField('datasetimport', 'loaded_at', 'imported_at'),
        RenameConstraintsAndIndexes(CONSTRAINTS, INDEXES),
        migrations.AlterModelOptions(
            name='datasetimport',
            options={'ordering': ['-imported_at', '-id']},
        ),
        migrations.AlterModelOptions(
            name='raterquestion',
            options={'ordering': ['-asked_at', '-id']},
        ),
        migrations.AlterField(
            model_name='bookmark',
            name='assignment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookmarks', to='annotation.assignment'),
        ),
        migrations.AlterField(
            model_name='bookmark',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookmarks', to='annotation.item'),
        ),
        migrations.AlterField(
            model_name='datasetimport',
            name='dataset',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='annotation.dataset'),
        ),
        migrations.AlterField(
            model_name='raterquestion',
            name='asker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rater_questions', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='raterquestion',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rater_questions', to='annotation.item'),
        ),
        migrations.AlterField(
            model_name='raterquestion',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rater_questions', to='annotation.project'),
        ),
        migrations.AlterField(
            model_name='sheet',
            name='purpose',
            field=models.CharField(choices=[('work', 'Work'), ('training', 'Training'), ('qualification', 'Qualification'), ('gold', 'Hidden gold')], db_default='work', default='work', help_text='What those who get it from now on get it for. Only work has slots for the overlap.', max_length=13),
        ),
        migrations.AlterField(
            model_name='slot',
            name='holder',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slot', to='annotation.assignment'),
        ),
        migrations.AlterField(
            model_name='slot',
            name='project',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='annotation.project'),
        ),
        migrations.AlterField(
            model_name='slot',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='annotation.sheet'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='rating_matches_lease', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.assignment_id IS NOT NULL)', func="\n        IF NOT EXISTS (\n            SELECT FROM annotation_assignment a\n            JOIN annotation_sheet s ON s.id = a.sheet_id\n            JOIN annotation_item i ON i.id = NEW.item_id AND i.response_id = s.response_id\n            WHERE a.id = NEW.assignment_id AND a.project_id = NEW.project_id AND a.rater_id = NEW.rater_id\n                AND i.against_id IS NOT DISTINCT FROM s.against_id\n                AND (NOT NEW.counted OR a.purpose = 'work' AND (a.finished_at IS NOT NULL OR EXISTS (\n                    SELECT FROM annotation_slot p WHERE p.holder_id = a.id AND p.was_finished_at IS NOT NULL\n                )))\n        ) THEN\n            RAISE EXCEPTION 'rating of item % by %: assignment % is another''s, of another sheet, no work, or open',\n                NEW.item_id, NEW.rater_id, NEW.assignment_id;\n        END IF;\n        RETURN NEW;\n    ", hash='205b7b4e789301423be03e38516212ce4b05df88', operation='INSERT OR UPDATE OF "assignment_id", "counted", "rater_id", "item_id", "project_id"', pgid='pgtrigger_rating_matches_lease_770b5', table='annotation_rating', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slot',
            trigger=pgtrigger.compiler.Trigger(name='finished_slot_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (COALESCE(OLD.finished_at, OLD.was_finished_at) IS NOT NULL AND (COALESCE(NEW.finished_at, NEW.was_finished_at) IS NULL OR NEW.holder_id IS DISTINCT FROM OLD.holder_id) AND current_setting('factuary.reopening', true) IS DISTINCT FROM 'on')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e38cdf9478a339269ce6a094a9072eda040db75f', operation='UPDATE', pgid='pgtrigger_finished_slot_is_final_72cf4', table='annotation_slot', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slot',
            trigger=pgtrigger.compiler.Trigger(name='holder_on_same_sheet', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.holder_id IS NOT NULL)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM annotation_assignment a WHERE a.id = NEW.holder_id AND a.sheet_id = NEW.sheet_id\n                    ) THEN\n                        RAISE EXCEPTION 'slot %: its holder % is of another sheet', NEW.id, NEW.holder_id;\n                    END IF;\n                    RETURN NEW;\n                ", hash='b2b25984f83f74df6e3c2178643228f7f5821b1d', operation='INSERT OR UPDATE OF "holder_id", "sheet_id"', pgid='pgtrigger_holder_on_same_sheet_70c9a', table='annotation_slot', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='bookmark',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['unsure', 'guidelines'])), name='bookmark_reason_valid'),
        ),
    ]
