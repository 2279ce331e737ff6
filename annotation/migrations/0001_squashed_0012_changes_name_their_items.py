"""The tables of 0.7.1 at once, in place of its twelve migrations. An earlier site is upgraded to 0.7.1 first."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('annotation', '0001_initial'),
        ('annotation', '0002_work_in_order'),
        ('annotation', '0003_tally_at_the_end'),
        ('annotation', '0004_review_reports_and_running'),
        ('annotation', '0005_history_by_the_statement'),
        ('annotation', '0006_suggestions_of_passages'),
        ('annotation', '0007_guidance_beside_the_answers'),
        ('annotation', '0008_training_and_checks'),
        ('annotation', '0009_changes_are_noted'),
        ('annotation', '0010_offered_again_stays_finished'),
        ('annotation', '0011_responses_given_ahead'),
        ('annotation', '0012_changes_name_their_items'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), editable=False, primary_key=True, serialize=False)),
                ('concerns', models.CharField(db_index=True, max_length=40)),
                ('items', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), editable=False, null=True, size=None)),
            ],
        ),
        migrations.CreateModel(
            name='Dataset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('format', models.CharField(max_length=20)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='annotation.dataset')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('dataset', 'name'), name='one_system_a_name')],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('file', models.FileField(upload_to='uploads/%Y/%m/')),
                ('name', models.CharField(max_length=255)),
                ('size', models.PositiveBigIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('uploaded_at', models.DateTimeField(auto_now_add=True)),
                ('uploaded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('key', models.CharField(help_text='The imported id.', max_length=200)),
                ('title', models.TextField(blank=True)),
                ('sections', models.JSONField(default=list)),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='annotation.dataset')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('dataset', 'key'), name='one_document_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Load',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('dataset', 'Data set'), ('responses', 'Responses'), ('ratings', 'Ratings')], max_length=10)),
                ('files', models.JSONField(default=list, help_text='Names and SHA-256 of the files read.')),
                ('options', models.JSONField(default=dict, help_text='Subset rule, sample, seed and the like.')),
                ('counts', models.JSONField(default=dict, help_text='What `--json` prints.')),
                ('steps', models.JSONField(default=list, help_text='Prompts and documents left after each step of the subset.')),
                ('loaded_at', models.DateTimeField(auto_now_add=True)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='loads', to='annotation.dataset')),
                ('loaded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-loaded_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Prompt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('key', models.CharField(help_text='The imported id.', max_length=200)),
                ('text', models.TextField()),
                ('reference', models.TextField(blank=True)),
                ('annotations', models.JSONField(blank=True, default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prompts', to='annotation.dataset')),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prompts', to='annotation.document')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('dataset', 'key'), name='one_prompt_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('key', models.CharField(help_text='The imported id, or a hash of prompt, system and text.', max_length=200)),
                ('text', models.TextField()),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='responses', to='annotation.dataset')),
                ('prompt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='annotation.prompt')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='annotation.system')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('dataset', 'key'), name='one_response_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('unit', models.CharField(choices=[('sentence', 'Sentence'), ('claim', 'Claim'), ('fact', 'Fact'), ('response', 'Response'), ('pair', 'Pair')], max_length=10)),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(default='sentence', max_length=20)),
                ('rate', models.BooleanField(default=True, help_text='Whether raters are asked about it.')),
                ('start', models.PositiveIntegerField(blank=True, null=True)),
                ('end', models.PositiveIntegerField(blank=True, null=True)),
                ('text', models.TextField()),
                ('splitter', models.CharField(blank=True, help_text='Version of the splitter; empty if it came with the data.', max_length=40)),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
                ('against', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='items_against', to='annotation.response')),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotation.response')),
            ],
            options={
                'ordering': ['response_id', 'unit', 'position'],
                'constraints': [models.UniqueConstraint(fields=('response', 'against', 'unit', 'position'), name='one_item_a_position', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('end__isnull', True), ('start__isnull', True)), ('start__lt', models.F('end')), _connector='OR'), name='item_span_is_not_empty'), models.CheckConstraint(condition=models.Q(models.Q(('against__isnull', False), ('unit', 'pair')), models.Q(models.Q(('unit', 'pair'), _negated=True), ('against__isnull', True)), _connector='OR'), name='only_a_pair_has_two_responses'), models.CheckConstraint(condition=models.Q(('unit__in', ['sentence', 'claim', 'fact', 'response', 'pair'])), name='item_unit_is_known')],
            },
        ),
        migrations.CreateModel(
            name='ProtocolVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80)),
                ('version', models.CharField(max_length=40)),
                ('title', models.CharField(max_length=200)),
                ('source', models.TextField(help_text='The TOML file, byte for byte.')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['slug', 'created_at'],
                'constraints': [models.UniqueConstraint(fields=('slug', 'version'), name='one_protocol_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('overlap', models.PositiveSmallIntegerField(default=1, help_text='How many raters read each response.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('seed', models.BigIntegerField(default=1, help_text='Fixes the random order of the work.')),
                ('target_half_width', models.FloatField(blank=True, help_text='How wide an interval may be on either side, as a share: what the planner aims at.', null=True, validators=[django.core.validators.MinValueValidator(0.001), django.core.validators.MaxValueValidator(0.5)])),
                ('suggestions', models.BooleanField(default=True, help_text='Whether raters are shown likely passages of the article. They may lead raters, so they can be off.')),
                ('ahead', models.PositiveSmallIntegerField(db_default=8, default=8, help_text="How many responses a rater's page keeps besides the one in hand, to go on without a network.", validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('pass_mark', models.FloatField(db_default=0.8, default=0.8, help_text='The share of items that must be right to pass the qualification.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('tries', models.PositiveSmallIntegerField(db_default=2, default=2, help_text='How often a rater may try the qualification.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)])),
                ('gold_every', models.PositiveSmallIntegerField(blank=True, help_text='One in so many responses that a rater gets is hidden gold; empty: none.', null=True, validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(1000)])),
                ('least_gold', models.FloatField(blank=True, help_text='A rater whose share of right hidden gold is below this is paused; empty: nobody is.', null=True, validators=[django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(1)])),
                ('fewest_gold', models.PositiveSmallIntegerField(db_default=10, default=10, help_text='How many gold items a rater must have answered before the share means anything.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)])),
                ('shows_decisions', models.BooleanField(db_default=False, default=False, help_text='Whether raters see how their items were decided, and may agree or dispute once.')),
                ('archived_at', models.DateTimeField(blank=True, help_text='Since when nobody rates in it any more. It can be read and exported.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='projects', to='annotation.dataset')),
                ('protocol', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='projects', to='annotation.protocolversion')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('overlap__gte', 1), ('overlap__lte', 100)), name='overlap_is_1_to_100'), models.CheckConstraint(condition=models.Q(('target_half_width__isnull', True), models.Q(('target_half_width__gt', 0), ('target_half_width__lte', 0.5)), _connector='OR'), name='target_half_width_is_a_share'), models.CheckConstraint(condition=models.Q(('ahead__gte', 1), ('ahead__lte', 10)), name='ahead_is_1_to_10'), models.CheckConstraint(condition=models.Q(('pass_mark__gte', 0), ('pass_mark__lte', 1)), name='pass_mark_is_a_share'), models.CheckConstraint(condition=models.Q(('gold_every', None), ('gold_every__gte', 2), _connector='OR'), name='not_everything_is_gold'), models.CheckConstraint(condition=models.Q(('least_gold', None), models.Q(('least_gold__gt', 0), ('least_gold__lte', 1)), _connector='OR'), name='least_gold_is_a_share')],
            },
        ),
        migrations.CreateModel(
            name='Reply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agrees', models.BooleanField()),
                ('comment', models.TextField(blank=True)),
                ('decided', models.JSONField(help_text='The answers of the decision that was replied to.')),
                ('answers', models.JSONField(help_text="The rater's own at that time.")),
                ('made_at', models.DateTimeField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replies', to='annotation.item')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='annotation.project')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replies', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at'],
                'constraints': [models.UniqueConstraint(fields=('project', 'item', 'rater'), name='one_reply_a_rater')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('document', models.TextField(help_text="The report's JSON, byte for byte.")),
                ('data_sha256', models.CharField(max_length=64)),
                ('figures', models.JSONField(blank=True, default=dict, help_text='SVG by name.')),
                ('frozen_at', models.DateTimeField(auto_now_add=True)),
                ('frozen_by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='annotation.project')),
            ],
            options={
                'ordering': ['-frozen_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ReportLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('with_names', models.BooleanField(default=False, help_text='Raters by name; else under their pseudonyms.')),
                ('note', models.CharField(blank=True, help_text='Who it was made for.', max_length=200)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='annotation.report')),
            ],
            options={
                'ordering': ['-made_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Sheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.BigIntegerField(help_text="Where the sheet comes in the project's random order.")),
                ('purpose', models.CharField(choices=[('work', 'Work'), ('training', 'Training'), ('qualification', 'Qualification'), ('gold', 'Hidden gold')], db_default='work', default='work', help_text='What those who get it from now on get it for. Only work has places for the overlap.', max_length=13)),
                ('against', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.response')),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.document')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to='annotation.project')),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sheets', to='annotation.response')),
            ],
            options={
                'ordering': ['rank'],
                'indexes': [models.Index(condition=models.Q(('purpose', 'work'), _negated=True), fields=['project', 'purpose'], name='sheets_set_aside')],
                'constraints': [models.UniqueConstraint(fields=('project', 'response', 'against'), name='one_sheet_a_response', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('purpose__in', ['work', 'training', 'qualification', 'gold'])), name='sheet_purpose_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Reservation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reservations', to='annotation.project')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reservations', to=settings.AUTH_USER_MODEL)),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reservations', to='annotation.sheet')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'rater'], name='reservations_of_a_rater')],
                'constraints': [models.UniqueConstraint(fields=('sheet', 'rater'), name='one_reservation_a_rater')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.CharField(max_length=10)),
                ('role', models.CharField(max_length=12)),
                ('counted', models.BooleanField()),
                ('choices', models.JSONField()),
                ('n', models.IntegerField()),
                ('against', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.response')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='annotation.project')),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.response')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'response', 'against', 'unit', 'role', 'counted', 'choices'), name='one_tally_a_key', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('purpose', models.CharField(choices=[('work', 'Work'), ('training', 'Training'), ('qualification', 'Qualification'), ('gold', 'Hidden gold')], db_default='work', default='work', help_text='What it was taken for.', max_length=13)),
                ('taken_at', models.DateTimeField()),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.project')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.sheet')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'rater', '-taken_at'], name='assignments_of_a_rater'), models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['rater', 'project'], name='unfinished_of_a_rater'), models.Index(condition=models.Q(('purpose', 'work'), _negated=True), fields=['project', 'rater'], name='taken_but_not_as_work')],
                'constraints': [models.UniqueConstraint(fields=('sheet', 'rater'), name='one_assignment_a_rater'), models.CheckConstraint(condition=models.Q(('finished_at__isnull', True), ('released_at__isnull', True), _connector='OR'), name='what_is_finished_is_not_given_back'), models.CheckConstraint(condition=models.Q(('purpose__in', ['work', 'training', 'qualification', 'gold'])), name='assignment_purpose_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('rater', 'Rater'), ('judge', 'Judge'), ('gold', 'Gold'), ('adjudicator', 'Adjudicator')], default='rater', max_length=12)),
                ('answers', models.JSONField(help_text='Question key to answer, hidden questions pruned.')),
                ('choices', models.JSONField(help_text="The choice answers alone, in the protocol's order: what the tally counts.")),
                ('counted', models.BooleanField(default=False, help_text='Set when the lease is finished or the rating imported.')),
                ('comment', models.TextField(blank=True)),
                ('evidence', models.JSONField(blank=True, default=list, help_text='Passages of the article, as `rating.evidence` says; an import may bring others.')),
                ('suggestions', models.CharField(blank=True, choices=[('off', 'None were shown'), ('on', 'Some were shown'), ('used', 'The rater looked through them or attached one')], db_default='', default='', help_text='Whether passages were suggested to the rater; empty where nobody said.', max_length=4)),
                ('guidelines', models.PositiveIntegerField(blank=True, help_text="Number of the project's guidelines under which it was given, if there were any.", null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time spent, in seconds.', null=True)),
                ('rated_at', models.DateTimeField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('idempotency_key', models.CharField(blank=True, max_length=200)),
                ('request_sha256', models.CharField(blank=True, max_length=64)),
                ('assignment', models.ForeignKey(blank=True, help_text='The lease under which it was given; empty for an imported rating.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='annotation.assignment')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='annotation.item')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='annotation.project')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'role', 'item'], include=('rater', 'choices', 'counted'), name='ratings_of_a_project')],
                'constraints': [models.UniqueConstraint(fields=('project', 'item', 'rater', 'role'), name='one_rating_a_rater'), models.CheckConstraint(condition=models.Q(('role__in', ['rater', 'judge', 'gold', 'adjudicator'])), name='rating_role_is_known'), models.CheckConstraint(condition=models.Q(('seconds__isnull', True), ('seconds__gte', 0), _connector='OR'), name='seconds_are_not_negative'), models.CheckConstraint(condition=models.Q(('answers', {}), _negated=True), name='a_rating_has_answers'), models.CheckConstraint(condition=models.Q(('counted', False), ('role', 'rater'), _connector='OR'), name='only_raters_count'), models.CheckConstraint(condition=models.Q(('suggestions__in', ['', 'off', 'on', 'used'])), name='suggestions_are_known')],
            },
        ),
        migrations.CreateModel(
            name='RatingEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('role', models.CharField(choices=[('rater', 'Rater'), ('judge', 'Judge'), ('gold', 'Gold'), ('adjudicator', 'Adjudicator')], default='rater', max_length=12)),
                ('answers', models.JSONField(help_text='Question key to answer, hidden questions pruned.')),
                ('comment', models.TextField(blank=True)),
                ('evidence', models.JSONField(blank=True, default=list, help_text='Passages of the article, as `rating.evidence` says; an import may bring others.')),
                ('suggestions', models.CharField(blank=True, choices=[('off', 'None were shown'), ('on', 'Some were shown'), ('used', 'The rater looked through them or attached one')], db_default='', default='', help_text='Whether passages were suggested to the rater; empty where nobody said.', max_length=4)),
                ('guidelines', models.PositiveIntegerField(blank=True, help_text="Number of the project's guidelines under which it was given, if there were any.", null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time spent, in seconds.', null=True)),
                ('rated_at', models.DateTimeField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('idempotency_key', models.CharField(blank=True, max_length=200)),
                ('request_sha256', models.CharField(blank=True, max_length=64)),
                ('assignment', models.ForeignKey(blank=True, db_constraint=False, help_text='The lease under which it was given; empty for an imported rating.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='annotation.assignment')),
                ('item', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='annotation.item')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', related_query_name='event', to='annotation.rating')),
                ('project', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='annotation.project')),
                ('rater', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['item', 'rater'], name='history_of_an_answer'), models.Index(condition=models.Q(('idempotency_key__gt', '')), fields=['assignment', 'idempotency_key'], name='receipts')],
            },
        ),
        migrations.CreateModel(
            name='Mark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(choices=[('unsure', 'Not sure'), ('guidelines', 'The guidelines have changed')], default='unsure', max_length=10)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='annotation.assignment')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='annotation.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('assignment', 'item'), name='one_mark_an_item'), models.CheckConstraint(condition=models.Q(('why__in', ['unsure', 'guidelines'])), name='mark_reason_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('rater', 'Rater'), ('lead', 'Lead')], max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('paused_at', models.DateTimeField(blank=True, help_text='Since when the rater gets no work.', null=True)),
                ('pause_reason', models.TextField(blank=True, db_default='', default='', help_text='What the rater is told.')),
                ('gold_since', models.DateTimeField(blank=True, help_text='Hidden gold finished before this no longer pauses: a lead lifted the pause.', null=True)),
                ('more_tries', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Tries of the qualification that a lead granted.')),
                ('let_in_at', models.DateTimeField(blank=True, help_text='When a lead let the rater in without training and qualification.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotation.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='one_role_a_project'), models.CheckConstraint(condition=models.Q(('role__in', ['rater', 'lead'])), name='membership_role_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Place',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('k', models.PositiveSmallIntegerField()),
                ('rank', models.BigIntegerField()),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('was_finished_at', models.DateTimeField(blank=True, help_text='When it was finished, while it is offered to its holder again.', null=True)),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.document')),
                ('holder', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='place', to='annotation.assignment')),
                ('project', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='places', to='annotation.project')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='annotation.sheet')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['project', 'rank', 'k'], name='open_places'), models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['project', 'document', 'rank', 'k'], name='open_places_of_a_document'), models.Index(condition=models.Q(('was_finished_at__isnull', False)), fields=['expires_at'], name='offered_again')],
                'constraints': [models.UniqueConstraint(fields=('sheet', 'k'), name='one_place_a_number'), models.CheckConstraint(condition=models.Q(models.Q(('expires_at__isnull', True), ('finished_at__isnull', True), ('holder__isnull', True)), models.Q(('expires_at__isnull', False), ('holder__isnull', False)), _connector='OR'), name='place_is_free_leased_or_finished'), models.CheckConstraint(condition=models.Q(('was_finished_at__isnull', True), models.Q(('finished_at__isnull', True), ('holder__isnull', False)), _connector='OR'), name='what_is_offered_again_is_held')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(blank=True, null=True)),
                ('message', models.CharField(blank=True, help_text='What it is doing, for people.', max_length=300)),
                ('problems', models.JSONField(blank=True, default=list, help_text='Why it failed: a line each.')),
                ('result', models.JSONField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('started_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='annotation.project')),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.report')),
                ('uploads', models.ManyToManyField(blank=True, related_name='jobs', to='annotation.upload')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['heartbeat_at'], name='open_jobs')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='job_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state__in', ['queued', 'running'])), models.Q(('ended_at__isnull', False), ('state__in', ['done', 'failed', 'cancelled'])), _connector='OR'), name='job_has_ended_when_its_state_says_so')],
            },
        ),
        migrations.CreateModel(
            name='Inquiry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('question', 'Question'), ('split', 'Wrong split')], default='question', max_length=8)),
                ('text', models.TextField(blank=True)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('answer', models.TextField(blank=True)),
                ('is_published', models.BooleanField(default=False)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='inquiries', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='inquiries', to='annotation.item')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inquiries', to='annotation.project')),
            ],
            options={
                'verbose_name_plural': 'inquiries',
                'ordering': ['-asked_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('answered_at__isnull', True)), fields=['project'], name='open_inquiries'), models.Index(fields=['project', 'item'], name='inquiries_about_an_item')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['question', 'split'])), name='inquiry_kind_is_known'), models.CheckConstraint(condition=models.Q(('kind', 'split'), models.Q(('text', ''), _negated=True), _connector='OR'), name='a_question_has_words'), models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('answered_at__isnull', True), ('is_published', False), ('seen_at__isnull', True)), models.Q(('answered_at__isnull', False), models.Q(('answer', ''), _negated=True)), _connector='OR'), name='an_answer_has_words_and_a_time')],
            },
        ),
        migrations.CreateModel(
            name='GuidelineVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True, help_text='Markdown.')),
                ('examples', models.JSONField(blank=True, default=dict)),
                ('note', models.CharField(blank=True, help_text='What is new, in a line for the raters.', max_length=300)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guidelines', to='annotation.project')),
            ],
            options={
                'ordering': ['project_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('project', 'number'), name='one_guideline_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('file', models.FileField(upload_to='exports/%Y/%m/')),
                ('name', models.CharField(max_length=255)),
                ('size', models.PositiveBigIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='export', to='annotation.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exports', to='annotation.project')),
            ],
            options={
                'ordering': ['-made_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(max_length=60)),
                ('target', models.CharField(help_text='The kind of thing and its name, such as project:june.', max_length=200)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='annotation.project')),
            ],
            options={
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['project', '-at'], name='audit_of_a_project')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('work', 'Work'), ('training', 'Training'), ('qualification', 'Qualification'), ('gold', 'Hidden gold')], max_length=13)),
                ('number', models.PositiveSmallIntegerField(help_text='From 1.')),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('right', models.PositiveIntegerField(default=0, help_text='Items answered as the gold answer is.')),
                ('items', models.PositiveIntegerField(default=0, help_text='Items answered that had a gold answer.')),
                ('passed', models.BooleanField(default=False)),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='annotation.project')),
            ],
            options={
                'ordering': ['project', 'rater', 'purpose', 'number'],
                'constraints': [models.UniqueConstraint(fields=('project', 'rater', 'purpose', 'number'), name='one_attempt_a_number'), models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('project', 'rater', 'purpose'), name='one_open_attempt'), models.CheckConstraint(condition=models.Q(('purpose__in', ['training', 'qualification'])), name='attempt_purpose_is_known'), models.CheckConstraint(condition=models.Q(('right__lte', models.F('items'))), name='no_more_right_than_answered')],
            },
        ),
        migrations.AddField(
            model_name='project',
            name='members',
            field=models.ManyToManyField(related_name='projects', through='annotation.Membership', to=settings.AUTH_USER_MODEL),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='protocolversion',
            trigger=pgtrigger.compiler.Trigger(name='protocol_version_is_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3eba8625e532e0957cc0dda45d5c1dd7f091bb73', operation='UPDATE', pgid='pgtrigger_protocol_version_is_immutable_5db3b', table='annotation_protocolversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='note_renaming', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.username IS DISTINCT FROM NEW.username)', func="INSERT INTO annotation_change (concerns) VALUES ('people'); RETURN NULL;", hash='2d36dcbb6fc5fef2f711c52780f4faddb6815ce0', operation='UPDATE OF "username"', pgid='pgtrigger_note_renaming_5ce6a', table='annotation_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='note_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_change (concerns) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='bc571fecb063456b85bfd76ff212de3b415139a1', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_update_3ec08', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='guidelineversion',
            trigger=pgtrigger.compiler.Trigger(name='guideline_version_is_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func='RAISE EXCEPTION \'pgtrigger: Cannot update of "project_id", "number", "text", "examples", "note", "made_at" rows from % table\', TG_TABLE_NAME;', hash='92b763d985ba3e428f245259cda80efb2891462a', operation='UPDATE OF "project_id", "number", "text", "examples", "note", "made_at"', pgid='pgtrigger_guideline_version_is_immutable_77fe7', table='annotation_guidelineversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditevent',
            trigger=pgtrigger.compiler.Trigger(name='audit_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='25c21168365ca2122bd6ac2cab79d4193aeb2caa', operation='UPDATE OR DELETE', pgid='pgtrigger_audit_is_append_only_1b1d6', table='annotation_auditevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='prompt',
            trigger=pgtrigger.compiler.Trigger(name='note_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_change (concerns) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='3550ca91777df2bbbea0aa7df0bc5a2e6afcf820', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_update_a21e7', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_prompt', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='71234e2f1039191a2567e1005dac696ec0f90192', level='STATEMENT', operation='INSERT', pgid='pgtrigger_tally_insert_eb658', referencing='REFERENCING NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='2e226a333a99533ae010cf33a207e1a2eee94f8c', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_tally_update_9a35f', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='1997f4249fb15713a5542434122e3b7b78b256a1', level='STATEMENT', operation='DELETE', pgid='pgtrigger_tally_delete_f5144', referencing='REFERENCING OLD TABLE AS old_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='rating_is_under_its_lease', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.assignment_id IS NOT NULL)', func="\n        IF NOT EXISTS (\n            SELECT FROM annotation_assignment a\n            JOIN annotation_sheet s ON s.id = a.sheet_id\n            JOIN annotation_item i ON i.id = NEW.item_id AND i.response_id = s.response_id\n            WHERE a.id = NEW.assignment_id AND a.project_id = NEW.project_id AND a.rater_id = NEW.rater_id\n                AND i.against_id IS NOT DISTINCT FROM s.against_id\n                AND (NOT NEW.counted OR a.purpose = 'work' AND (a.finished_at IS NOT NULL OR EXISTS (\n                    SELECT FROM annotation_place p WHERE p.holder_id = a.id AND p.was_finished_at IS NOT NULL\n                )))\n        ) THEN\n            RAISE EXCEPTION 'rating of item % by %: assignment % is another''s, of another sheet, no work, or open',\n                NEW.item_id, NEW.rater_id, NEW.assignment_id;\n        END IF;\n        RETURN NEW;\n    ", hash='b5fdbc8a49a3c5cb36d50ea5032a60e12fedba05', operation='INSERT OR UPDATE OF "assignment_id", "counted", "rater_id", "item_id", "project_id"', pgid='pgtrigger_rating_is_under_its_lease_cf358', table='annotation_rating', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "version") SELECT new_values."answers", new_values."assignment_id", new_values."comment", new_values."evidence", new_values."guidelines", new_values."id", new_values."idempotency_key", new_values."item_id", NOW(), \'insert\', new_values."id", new_values."project_id", new_values."rated_at", new_values."rater_id", new_values."request_sha256", new_values."role", new_values."seconds", new_values."suggestions", new_values."version" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='bcae036fd6a5bb93c40bc09a35f6d8c454f231d4', level='STATEMENT', operation='INSERT', pgid='pgtrigger_insert_insert_18454', referencing='REFERENCING NEW TABLE AS new_values ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "version") SELECT new_values."answers", new_values."assignment_id", new_values."comment", new_values."evidence", new_values."guidelines", new_values."id", new_values."idempotency_key", new_values."item_id", NOW(), \'update\', new_values."id", new_values."project_id", new_values."rated_at", new_values."rater_id", new_values."request_sha256", new_values."role", new_values."seconds", new_values."suggestions", new_values."version" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values."answers" IS DISTINCT FROM (new_values."answers") OR old_values."assignment_id" IS DISTINCT FROM (new_values."assignment_id") OR old_values."comment" IS DISTINCT FROM (new_values."comment") OR old_values."evidence" IS DISTINCT FROM (new_values."evidence") OR old_values."guidelines" IS DISTINCT FROM (new_values."guidelines") OR old_values."id" IS DISTINCT FROM (new_values."id") OR old_values."idempotency_key" IS DISTINCT FROM (new_values."idempotency_key") OR old_values."item_id" IS DISTINCT FROM (new_values."item_id") OR old_values."project_id" IS DISTINCT FROM (new_values."project_id") OR old_values."rated_at" IS DISTINCT FROM (new_values."rated_at") OR old_values."rater_id" IS DISTINCT FROM (new_values."rater_id") OR old_values."request_sha256" IS DISTINCT FROM (new_values."request_sha256") OR old_values."role" IS DISTINCT FROM (new_values."role") OR old_values."seconds" IS DISTINCT FROM (new_values."seconds") OR old_values."suggestions" IS DISTINCT FROM (new_values."suggestions") OR old_values."version" IS DISTINCT FROM (new_values."version")) ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='6c31177db9fca6ae53385f2735c3963b75c025c7', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_update_update_a1f34', referencing='REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "version") SELECT old_values."answers", old_values."assignment_id", old_values."comment", old_values."evidence", old_values."guidelines", old_values."id", old_values."idempotency_key", old_values."item_id", NOW(), \'delete\', old_values."id", old_values."project_id", old_values."rated_at", old_values."rater_id", old_values."request_sha256", old_values."role", old_values."seconds", old_values."suggestions", old_values."version" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;', hash='fd2c58effa0cd779c02cb5e9d134f7eda6e89c6a', level='STATEMENT', operation='DELETE', pgid='pgtrigger_delete_delete_fffe1', referencing='REFERENCING OLD TABLE AS old_values ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ratingevent',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4d13fb21fe5e8081a7c5ff69d40d006a18935f9a', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_cb64c', table='annotation_ratingevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='report',
            trigger=pgtrigger.compiler.Trigger(name='report_is_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ee084d8cc7df1dbd28e289d33318ba9ad4ccdf8b', operation='UPDATE', pgid='pgtrigger_report_is_immutable_9382b', table='annotation_report', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='item',
            trigger=pgtrigger.compiler.Trigger(name='note_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_change (concerns) SELECT DISTINCT 'dataset ' || dataset_id FROM (\n    SELECT dataset_id FROM annotation_response r\n    JOIN (SELECT response_id FROM old_rows UNION SELECT response_id FROM new_rows) item ON item.response_id = r.id\n) changed; RETURN NULL;", hash='855cecf5811bdad95c785fed12b75e778d416b01', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_update_651f8', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_item', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='place',
            trigger=pgtrigger.compiler.Trigger(name='finished_place_is_used_up', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (COALESCE(OLD.finished_at, OLD.was_finished_at) IS NOT NULL AND (COALESCE(NEW.finished_at, NEW.was_finished_at) IS NULL OR NEW.holder_id IS DISTINCT FROM OLD.holder_id) AND current_setting('factuary.reopening', true) IS DISTINCT FROM 'on')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='226c45a32519413d9b1b149345dec258619e6161', operation='UPDATE', pgid='pgtrigger_finished_place_is_used_up_fd129', table='annotation_place', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='place',
            trigger=pgtrigger.compiler.Trigger(name='holder_is_of_the_sheet', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.holder_id IS NOT NULL)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM annotation_assignment a WHERE a.id = NEW.holder_id AND a.sheet_id = NEW.sheet_id\n                    ) THEN\n                        RAISE EXCEPTION 'place %: its holder % is of another sheet', NEW.id, NEW.holder_id;\n                    END IF;\n                    RETURN NEW;\n                ", hash='9e8de0e2fc3b6aa9c9922ac5060d1145d38983ee', operation='INSERT OR UPDATE OF "holder_id", "sheet_id"', pgid='pgtrigger_holder_is_of_the_sheet_76739', table='annotation_place', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='system',
            trigger=pgtrigger.compiler.Trigger(name='note_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_change (concerns) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='522e9452ac7dbbabd9f2c5811d0d38ec878f0186', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_update_3f293', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_system', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='response',
            trigger=pgtrigger.compiler.Trigger(name='note_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_change (concerns) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='634e0dd18d3f42d5c59237265aefed5356a3aa36', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_update_6714d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_response', when='AFTER')),
        ),
    ]
