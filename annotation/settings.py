"""Django's settings. Settings that differ between installations come from the environment (docs/deploy.md)."""

import logging
import os
import sys
from pathlib import Path

from csp.constants import NONE, SELF

from annotation.site.environment import SettingsProblem, parse_list, parse_number, parse_switch, read_environment
from annotation.site.log_settings import SEARCH_TASK, WEBHOOK_TASK, logging_settings
from annotation.site.metrics_server import is_measured
from annotation.site.sign_in_providers import read_providers
from annotation.site.telemetry import packages_problem

BASE_DIR = Path(__file__).resolve().parent.parent

try:
    environment = read_environment(os.environ)
    if environment.is_server and (missing := packages_problem()):
        raise SettingsProblem(missing)
    MAX_UPLOAD_MB = parse_number(os.environ, "MAX_UPLOAD_MB", default=512, lowest=1)
    BERTSCORE_MODEL = os.environ.get("BERTSCORE_MODEL", "")
    BERTSCORE_LAYERS = parse_number(os.environ, "BERTSCORE_LAYERS", default=0, lowest=0)
    behind_tls_proxy = parse_switch(os.environ, "BEHIND_TLS_PROXY")
    TRUSTED_PROXIES = parse_number(os.environ, "TRUSTED_PROXIES", default=1 if behind_tls_proxy else 0)
    REQUIRE_SECOND_FACTOR = parse_switch(os.environ, "REQUIRE_SECOND_FACTOR")
    SOCIALACCOUNT_PROVIDERS = read_providers(os.environ.get("SIGN_IN_PROVIDERS", ""))
    API_REQUESTS_PER_MINUTE = parse_number(os.environ, "API_REQUESTS_PER_MINUTE", default=6000)
    PASSWORD_LINK_DAYS = parse_number(os.environ, "PASSWORD_LINK_DAYS", default=3, lowest=1)
    HSTS_SECONDS = parse_number(os.environ, "HSTS_SECONDS", default=365 * 24 * 3600)
    BACKUP_HOUR = parse_number(os.environ, "BACKUP_HOUR", default=3) % 24
    BACKUP_KEEP_DAILY = parse_number(os.environ, "BACKUP_KEEP_DAILY", default=7, lowest=1)
    BACKUP_KEEP_WEEKLY = parse_number(os.environ, "BACKUP_KEEP_WEEKLY", default=4)
    METRICS_PORT = parse_number(os.environ, "METRICS_PORT", default=0)
    WORKER_METRICS_PORT = parse_number(os.environ, "WORKER_METRICS_PORT", default=0)
    SLOW_QUERY_MS = parse_number(os.environ, "SLOW_QUERY_MS", default=500 if environment.is_server else 0)
    KEEP_NETWORK_CODES_DAYS = parse_number(os.environ, "KEEP_NETWORK_CODES_DAYS", default=365)
    KEEP_NOTIFICATIONS_DAYS = parse_number(os.environ, "KEEP_NOTIFICATIONS_DAYS", default=0)
    KEEP_JOBS_DAYS = parse_number(os.environ, "KEEP_JOBS_DAYS", default=0)
    KEEP_DELIVERIES_DAYS = parse_number(os.environ, "KEEP_DELIVERIES_DAYS", default=30)
    email_tls = parse_switch(os.environ, "EMAIL_USE_TLS", default=True)
    email_port = parse_number(os.environ, "EMAIL_PORT", default=587, lowest=1)
except SettingsProblem as problem:
    # SystemExit and not ImproperlyConfigured: gunicorn, Celery and manage.py all end with this line alone.
    sys.exit(f"Factuary cannot start: {problem}")

# --- Application ------------------------------------------------------------------------------------------

SECRET_KEY = environment.secret_key
DEBUG = environment.debug
ALLOWED_HOSTS = environment.allowed_hosts
CSRF_TRUSTED_ORIGINS = environment.csrf_trusted_origins
SITE_URL = environment.site_url
"""The address people type, without a slash at the end; links in mails and commands begin with it."""

INSTALLED_APPS = [
    "annotation",
    "django.contrib.admin.apps.SimpleAdminConfig",  # without looking for the admin modules of packages
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pghistory",
    "pgtrigger",
    "csp",
    "django_htmx",
    "lucide",
]

for kind in SOCIALACCOUNT_PROVIDERS:  # without one, its imports would slow down the start of each command
    INSTALLED_APPS.append(f"allauth.socialaccount.providers.{kind}")

MIDDLEWARE = [
    "annotation.web.middleware.api_over_https",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.web.request_log.RequestLog",
    "annotation.web.middleware.never_stored",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "annotation.web.language.EnglishPages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.web.middleware.LoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotation.web.accounts.second_factor.RequireSecondFactor",
    "annotation.web.middleware.hidden_names",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.web.middleware.no_redirect",
    "annotation.web.middleware.WaitForComputations",
    "annotation.web.middleware.ReportFullDisk",
]

if is_measured():
    MIDDLEWARE = [
        "django_prometheus.middleware.PrometheusBeforeMiddleware",
        "annotation.web.request_metrics.measure_work",
        *MIDDLEWARE,
        "django_prometheus.middleware.PrometheusAfterMiddleware",
    ]
METRICS_HOST = os.environ.get("METRICS_HOST") or "127.0.0.1"
"""The address of METRICS_PORT and WORKER_METRICS_PORT, which are closed if they are 0."""

ROOT_URLCONF = "annotation.urls"
WSGI_APPLICATION = "annotation.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [  # for every template, without `load`
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "django.templatetags.static",
                "lucide.templatetags.lucide",
                "annotation.templatetags.components",
                "annotation.templatetags.pages",
                "annotation.templatetags.words",
            ],
        },
    },
]

LANGUAGE_CODE = "en-us"
LANGUAGES = [("en-us", "English"), ("es", "Español")]
"""Each name in its own language; docs/translating.md explains how to add one."""
FORMAT_MODULE_PATH = ["annotation.i18n.formats"]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = os.environ.get("TIME_ZONE") or "UTC"
USE_TZ = True
USE_I18N = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Database, cache, jobs --------------------------------------------------------------------------------

SITE_DATABASE_ROLE = os.environ.get("SITE_DATABASE_ROLE", "")
"""The role of web server, worker and beat, to which `migrate` grants its rights; "" if it owns the tables."""
DATABASES = {
    "default": {
        **environment.database,
        # Statements are prepared once for each connection, not planned at each request (docs/scale.md).
        "OPTIONS": {"server_side_binding": True, "prepare_threshold": 3, **environment.database["OPTIONS"]},
        # gunicorn's threads are few and stay, so each keeps one connection for good.
        "CONN_MAX_AGE": 300,
        "CONN_HEALTH_CHECKS": True,
    }
}

CACHES = {
    "default": {
        "BACKEND": "annotation.site.tolerant_cache.TolerantRedisCache",
        "LOCATION": environment.broker_url,
        "OPTIONS": {
            "serializer": "annotation.site.tolerant_cache.PlainSerializer",
            "socket_connect_timeout": 1,  # seconds that a request waits for the cache
            "socket_timeout": 2,
        },
        "VERSION": 2,  # 1 had pickles
        "KEY_PREFIX": "factuary",
    }
}

CELERY_BROKER_URL = environment.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = "UTC"
# A job is acknowledged when it is done, so one that dies with its worker is not lost; jobs are safe to run twice.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
# Short tasks come first. A worker takes from both queues; `--queues celery` keeps one free for short tasks.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"celery": {}, "long": {}}
CELERY_TASK_ROUTES = {
    name: {"queue": "long"}
    for name in (
        "tasks.backups.write_backup",
        "tasks.deleting.*",
        "tasks.exports.make_export",
        "tasks.judging.*",
        "tasks.exports.rebuild_report",
        "tasks.imports.import_sample",
        "tasks.imports.load_*",
        "tasks.reports.freeze_report",
    )
}
CELERY_BROKER_TRANSPORT_OPTIONS = {"queue_order_strategy": "priority"}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "requeue jobs of killed workers": {"task": SEARCH_TASK, "schedule": 20.0},
    "delete old uploads": {"task": "tasks.schedule.tidy_uploads", "schedule": 3600.0},
    "delete old exports": {"task": "tasks.schedule.tidy_exports", "schedule": 3600.0},
    "close expired reoffers": {"task": "tasks.schedule.close_expired_reoffers", "schedule": 3600.0},
    "send webhooks": {"task": WEBHOOK_TASK, "schedule": 10.0, "options": {"expires": 10.0}},
    "mail notifications": {"task": "tasks.schedule.mail_notifications", "schedule": 60.0},
    "notify leads of quality": {"task": "tasks.schedule.notify_of_quality", "schedule": 3600.0},
    "write backups": {"task": "tasks.schedule.start_backup_if_due", "schedule": 600.0},
    "delete old personal data": {"task": "tasks.schedule.apply_retention", "schedule": 3600.0},
    "delete old live reports": {"task": "tasks.schedule.delete_live_reports", "schedule": 3600.0},
}

# --- Accounts ---------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["annotation.accounts.sign_in_backend.SignInBackend"]
PASSWORD_WORDS = os.environ.get("PASSWORD_WORDS", "")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "annotation.site.password_words.SiteWordsValidator",
        "OPTIONS": {"site_url": SITE_URL, "more": PASSWORD_WORDS},
    },
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "annotation.web.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "annotation.web.accounts.sign_in_forms.SignInForm",
    "change_password": "annotation.web.accounts.sign_in_forms.LimitedChangePasswordForm",
    "reauthenticate": "annotation.web.accounts.sign_in_forms.ConfirmPasswordForm",
    "reset_password_from_key": "annotation.web.accounts.sign_in_forms.SetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to addresses that strangers type
PASSWORD_RESET_TIMEOUT = PASSWORD_LINK_DAYS * 24 * 3600  # seconds, also of the links for new accounts
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True  # the link proves who they are, as the new password would a moment later
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # to change email addresses, and to link or unlink an account
ACCOUNT_RATE_LIMITS = {
    "login": None,  # counts successful sign-ins too, and refuses a lecture hall behind one address
    "login_failed": None,  # lets a stranger lock a name; instead: annotation.accounts.sign_in_limits
    "reset_password_from_key": "300/m/ip",  # a hall that sets its first passwords; the keys cannot be guessed
}
KEYS_OF_LINKS = "annotation.accounts.password_tokens.PasswordTokenGenerator"
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = KEYS_OF_LINKS
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "annotation.web.accounts.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "add_webauthn": "annotation.web.accounts.sign_in_forms.AddKeyForm",
    "authenticate": "annotation.web.accounts.second_factor.LimitedAuthenticateForm",
    "reauthenticate": "annotation.web.accounts.second_factor.LimitedReauthenticateForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # the code before and after the current one: clocks differ
MFA_ALLOW_UNVERIFIED_EMAIL = True  # admins create the accounts
MFA_RATE_LIMITS = {"webauthn_login": "300/m/ip"}  # a lecture hall behind one address; keys cannot be guessed
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = environment.loopback_only
SOCIALACCOUNT_ADAPTER = "annotation.web.accounts.providers.ProviderAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True  # linked by the address once, by the provider's id from then on
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = email_port
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = email_tls and email_port != 465
EMAIL_USE_SSL = email_tls and email_port == 465
EMAIL_TIMEOUT = 20
# Without a mail server, mails are printed to the log, so that the site's operator can read a password link.
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "factuary@localhost"
WEBHOOK_ALLOWED_HOSTS = parse_list(os.environ.get("WEBHOOK_ALLOWED_HOSTS", ""))
"""Hosts, as in the addresses of webhooks, that may have private addresses and need no TLS."""
ACCESSIBILITY_CONTACT = os.environ.get("ACCESSIBILITY_CONTACT", "")  # named by the accessibility statement

# --- Static files and uploads -----------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / "static-collected")
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = Path(environment.media_root or BASE_DIR / ".factuary" / "media")
"""Uploaded data sets before their import; never served."""
BACKUP_DIR = environment.backup_dir
"""The folder of scheduled backups; without it there are none."""
S3_BUCKET = os.environ.get("S3_BUCKET", "")
STORAGES = {
    "default": {
        "BACKEND": "annotation.site.object_storage.ObjectStorage",
        "OPTIONS": {  # the credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the host's role
            "bucket_name": S3_BUCKET,
            "location": os.environ.get("S3_PREFIX", ""),
            "endpoint_url": os.environ.get("S3_ENDPOINT_URL") or None,
            "region_name": os.environ.get("S3_REGION") or None,
        },
    }
    if S3_BUCKET
    else {"BACKEND": "annotation.site.file_storage.WholeFiles"},
    "staticfiles": {"BACKEND": "annotation.site.static_storage.HashedModules"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# A form without files is small; uploads are streamed to disk, and the upload handler checks MAX_UPLOAD_MB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_HANDLERS = [
    "annotation.importing.upload_limit.UploadLimit",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# --- Security: strict, and relaxed only where plain http on this machine requires it ----------------------

LOOPBACK_ONLY = environment.loopback_only
over_https = not LOOPBACK_ONLY
SECURE_SSL_REDIRECT = over_https
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = HSTS_SECONDS if over_https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = over_https
SECURE_HSTS_PRELOAD = over_https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind_tls_proxy else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = over_https
SESSION_ENGINE = "annotation.accounts.session_store"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
COOKIE_PREFIX = "__Host-" if over_https else ""
"""What the names of cookies begin with: browsers take these only over https, from this host and for all of it."""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}factuary_session"
# Without the prefix: a page that was open during an upgrade from 0.7 reads this name. Requests show their origin too.
CSRF_COOKIE_NAME = "factuary_csrf"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}factuary_language"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # in no cookie of its own
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = over_https

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}

# --- API --------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "annotation.api.schema.OperationSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "EXCEPTION_HANDLER": "annotation.api.errors.answer_error",
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "annotation.api.token_limits.WithinTokenLimits",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["annotation.api.throttling.TokenThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsers.BoundedJSONParser"],
    "URL_FORMAT_OVERRIDE": None,  # `format` is a query parameter where a view declares it
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Factuary",
    "DESCRIPTION": "Judge the factuality of language-model responses sentence by sentence.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "supportedSubmitMethods": []},  # the page is read-only
    "ENUM_NAME_OVERRIDES": {
        "JobStateEnum": "annotation.models.Job.State",
        "QuestionKindEnum": "annotation.models.RaterQuestion.Kind",
        "ImportKindEnum": "annotation.models.DatasetImport.Kind",
        "RoleEnum": "annotation.models.Membership.Role",
        "FactSourceEnum": "annotation.models.Judge.FactSource",
        "FactSourceNameEnum": ["reference", "document"],
        "FactQAModeEnum": ["published", "strict"],
        "FactQAEnum": "annotation.models.Judge.FactQA",
        "RunEndedEnum": ["done", "limit", "budget", "model", "stopped", "failed"],
        "RunResultEndedEnum": "annotation.models.JudgeRun.Ended",
        "WebhookEventEnum": "annotation.models.Webhook.Event",
        "StatusEnum": ["fitted", "singular", "not fitted"],
        "DeliveryStatusEnum": "annotation.models.WebhookDelivery.Status",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.api.schema.describe_responses",
    ],
}

# --- Log: lines on standard error -------------------------------------------------------------------------

LOGGING = logging_settings(
    is_server=environment.is_server, line_format=environment.log_format, level=os.environ.get("LOG_LEVEL") or "INFO"
)
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = (
    logging.DEBUG
)  # one line, at the end
