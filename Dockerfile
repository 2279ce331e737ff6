# One image for web, worker and beat; docker-compose.yml has the command of each.
FROM python:3.13-slim AS packages
COPY requirements-all.lock .
RUN python -m venv /packages && /packages/bin/pip install --no-cache-dir --require-hashes -r requirements-all.lock

FROM python:3.13-slim
ENV PATH=/packages/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    STATIC_ROOT=/factuary/static-collected MEDIA_ROOT=/media
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin factuary \
    && install -d -o factuary -g factuary -m 0700 /media /backups
COPY --from=packages /packages /packages
WORKDIR /factuary
COPY . .
# Static files are hashed and compressed while building. This needs no settings.
RUN python manage.py collectstatic --noinput
USER factuary
EXPOSE 8000
CMD ["gunicorn"]
