"""Bounds, labels and help of endpoint settings; other names of Judge.sees and Judge.rates. No column changes."""

import annotation.models.model_calls
import django.core.validators
import django.db.models.deletion
from decimal import Decimal
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0050_project_settings"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="judge",
            name="judge_sees_valid",
        ),
        migrations.RemoveConstraint(
            model_name="judge",
            name="judge_rates_valid",
        ),
        migrations.AlterField(
            model_name="judge",
            name="sees",
            field=models.CharField(
                choices=[("article", "The whole article"), ("passages", "The passages that fit best")],
                db_column="sees",
                default="article",
                max_length=10,
                verbose_name="sees",
            ),
        ),
        migrations.RenameField(model_name="judge", old_name="sees", new_name="context"),
        migrations.AlterField(
            model_name="judge",
            name="rates",
            field=models.CharField(
                choices=[("sentence", "One item per request"), ("response", "All items of a response in one request")],
                db_column="rates",
                default="sentence",
                max_length=10,
                verbose_name="items per request",
            ),
        ),
        migrations.RenameField(model_name="judge", old_name="rates", new_name="request_unit"),
        migrations.AlterField(
            model_name="generationrun",
            name="budget_tokens",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="The run ends before requests and answers have more tokens.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="budget in tokens",
            ),
        ),
        migrations.AlterField(
            model_name="generationrun",
            name="budget_usd",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="The run ends before it costs more. It needs both prices.",
                max_digits=12,
                null=True,
                validators=[django.core.validators.MinValueValidator(Decimal("0.000001"))],
                verbose_name="budget in USD",
            ),
        ),
        migrations.AlterField(
            model_name="generationrun",
            name="job",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="annotation.job",
            ),
        ),
        migrations.AlterField(
            model_name="generationrun",
            name="limit",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Items, responses or prompts at most.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
            ),
        ),
        migrations.AlterField(
            model_name="generationtemplate",
            name="answer_form",
            field=models.CharField(
                choices=[
                    ("text", "The response alone"),
                    ("steps", "Type, steps and answer; the answer is the response"),
                ],
                default="text",
                help_text="For steps, the text asks for three parts, each on a new line after Type:, Steps: or Answer:.",
                max_length=5,
                verbose_name="form of the answer",
            ),
        ),
        migrations.AlterField(
            model_name="generationtemplate",
            name="context",
            field=models.CharField(
                choices=[
                    ("document", "The whole document"),
                    ("passages", "The passages that fit best"),
                    ("none", "No document"),
                ],
                default="document",
                max_length=8,
                verbose_name="shows",
            ),
        ),
        migrations.AlterField(
            model_name="generationtemplate",
            name="name",
            field=models.CharField(
                help_text="Letters, digits and . _ + -. Under the name of an existing template, this is its next version.",
                max_length=60,
                validators=[
                    django.core.validators.RegexValidator(
                        "^[A-Za-z0-9][A-Za-z0-9._+-]{0,59}\\Z", "A name has letters, digits and . _ + -, at most 60."
                    )
                ],
            ),
        ),
        migrations.AlterField(
            model_name="generationtemplate",
            name="text",
            field=models.TextField(
                help_text="With $prompt and, unless it shows no document, $document. $fence is a word that is in no text; $$ is a dollar sign.",
                max_length=100000,
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="base_url",
            field=models.CharField(
                blank=True,
                default="",
                help_text="With the API of OpenAI, often ending in /v1.",
                max_length=500,
                validators=[annotation.models.model_calls.check_address],
                verbose_name="address of the endpoint",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="concurrency",
            field=models.PositiveSmallIntegerField(
                default=8,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(256),
                ],
                verbose_name="requests at the same time",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="context_tokens",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Of a request with its answer, as many as the model accepts. Longer requests are not sent. Empty: no limit.",
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(100000000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="input_price",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="USD per million tokens. Without both prices there is no cost and no budget.",
                max_digits=12,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100000),
                ],
                verbose_name="price of requests",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="key_env",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Of the worker, instead of a stored key. In pages and the API its name starts with MODEL_ or JUDGE_.",
                max_length=100,
                validators=[annotation.models.model_calls.check_variable],
                verbose_name="environment variable with the key",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="max_tokens",
            field=models.PositiveIntegerField(
                default=1000,
                help_text="Of an answer; a longer one is cut.",
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000000),
                ],
                verbose_name="tokens per answer",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="output_price",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="USD per million tokens.",
                max_digits=12,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100000),
                ],
                verbose_name="price of answers",
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="requests_per_minute",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="system",
            field=models.CharField(help_text="The name under which the responses appear in reports.", max_length=200),
        ),
        migrations.AlterField(
            model_name="generator",
            name="temperature",
            field=models.FloatField(
                default=0.0,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(2),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="generator",
            name="timeout",
            field=models.FloatField(
                default=120.0,
                help_text="Seconds until a request is given up.",
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0.1),
                    django.core.validators.MaxValueValidator(3600),
                ],
                verbose_name="timeout in seconds",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="base_url",
            field=models.CharField(
                blank=True,
                default="",
                help_text="With the API of OpenAI, often ending in /v1.",
                max_length=500,
                validators=[annotation.models.model_calls.check_address],
                verbose_name="address of the endpoint",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="concurrency",
            field=models.PositiveSmallIntegerField(
                default=8,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(256),
                ],
                verbose_name="requests at the same time",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="fact_qa",
            field=models.CharField(
                blank=True,
                choices=[
                    ("published", "As published: an unreadable answer counts 0"),
                    ("strict", "Strict: an unreadable answer fails"),
                ],
                default="",
                help_text="Scores the facts of whole responses, at temperature 0 with one sample.",
                max_length=9,
                verbose_name="Fact-QA",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="fact_source",
            field=models.CharField(
                choices=[("reference", "The reference answer"), ("document", "The document")],
                default="reference",
                max_length=9,
                verbose_name="Fact-QA: facts are supported by",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="input_price",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="USD per million tokens. Without both prices there is no cost and no budget.",
                max_digits=12,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100000),
                ],
                verbose_name="price of requests",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="key_env",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Of the worker, instead of a stored key. In pages and the API its name starts with MODEL_ or JUDGE_.",
                max_length=100,
                validators=[annotation.models.model_calls.check_variable],
                verbose_name="environment variable with the key",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="logprobs",
            field=models.BooleanField(default=False, verbose_name="request log-probabilities, for the confidence"),
        ),
        migrations.AlterField(
            model_name="judge",
            name="max_tokens",
            field=models.PositiveIntegerField(
                default=1000,
                help_text="Of an answer; a longer one is cut.",
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000000),
                ],
                verbose_name="tokens per answer",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="name",
            field=models.CharField(
                help_text="Letters, digits and . _ + -. Under the name of an existing judge, this is its next version.",
                max_length=60,
                validators=[
                    django.core.validators.RegexValidator(
                        "^[A-Za-z0-9][A-Za-z0-9._+-]{0,59}\\Z", "A name has letters, digits and . _ + -, at most 60."
                    )
                ],
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="output_price",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="USD per million tokens.",
                max_digits=12,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100000),
                ],
                verbose_name="price of answers",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="precision_only",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Asks nothing about reference answers: there is no recall and no F1.",
                verbose_name="Fact-QA: precision only",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="requests_per_minute",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="rule",
            field=models.CharField(
                blank=True,
                choices=[
                    ("lexical-overlap", "Lexical overlap with the best passage"),
                    ("numbers", "Numbers check"),
                    ("always-accurate", "Always accurate"),
                ],
                default="",
                help_text="A rule needs no model, price or key.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="samples",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="How often each request is asked. The most frequent answer becomes the verdict; several need a temperature above 0.",
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(50),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="temperature",
            field=models.FloatField(
                default=0.0,
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(2),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="template",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Empty: the built-in prompt.",
                max_length=100000,
                verbose_name="prompt",
            ),
        ),
        migrations.AlterField(
            model_name="judge",
            name="timeout",
            field=models.FloatField(
                default=120.0,
                help_text="Seconds until a request is given up.",
                validators=[
                    annotation.models.model_calls.check_number,
                    django.core.validators.MinValueValidator(0.1),
                    django.core.validators.MaxValueValidator(3600),
                ],
                verbose_name="timeout in seconds",
            ),
        ),
        migrations.AlterField(
            model_name="judgerun",
            name="budget_tokens",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="The run ends before requests and answers have more tokens.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="budget in tokens",
            ),
        ),
        migrations.AlterField(
            model_name="judgerun",
            name="budget_usd",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="The run ends before it costs more. It needs both prices.",
                max_digits=12,
                null=True,
                validators=[django.core.validators.MinValueValidator(Decimal("0.000001"))],
                verbose_name="budget in USD",
            ),
        ),
        migrations.AlterField(
            model_name="judgerun",
            name="job",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="annotation.job",
            ),
        ),
        migrations.AlterField(
            model_name="judgerun",
            name="limit",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Items, responses or prompts at most.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
            ),
        ),
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.CheckConstraint(
                condition=models.Q(("context__in", ["article", "passages"])), name="judge_sees_valid"
            ),
        ),
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.CheckConstraint(
                condition=models.Q(("request_unit__in", ["sentence", "response"])), name="judge_rates_valid"
            ),
        ),
    ]
