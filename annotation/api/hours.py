"""Hours, amounts and pay rates of a project's raters, for leads."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..audit import record_download
from ..projects.pay_rates import pay_rates, people_with_work, set_pay_rate, shown_weeks
from ..pseudonyms import active, username_of
from .authentication import caller
from .hours_serializers import (
    HoursSerializer,
    NewPayRateSerializer,
    PayRateSerializer,
)
from .parsers import validate
from .schema import errors
from .views import ApiView, ListView


class Hours(ApiView):
    """Weeks of work."""

    @extend_schema(responses={200: HoursSerializer, **errors(403, 404)})
    def get(self, request: Request, slug: str) -> Response:
        """Hours, annotations and amounts by week and rater, the newest week first. The audit records it as a download.
        For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        weeks = shown_weeks(project, list(pay_rates(project)))
        record_download(
            caller(request), f"project:{slug}", project=project, name="hours.json", with_names=active() is None
        )
        return Response(HoursSerializer({"weeks": weeks}).data)


class PayRates(ListView):
    """Pay rates."""

    @extend_schema(
        operation_id="projects_pay_rates_list", responses={200: PayRateSerializer(many=True), **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Rates per hour, the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return self.page(request, pay_rates(project), PayRateSerializer, "-pk")

    @extend_schema(request=NewPayRateSerializer, responses={201: PayRateSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Set the rate from the week of a day on, of all raters or of one; it replaces another rate from the same week
        on. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        body = validate(NewPayRateSerializer, request.data)
        rater = None
        if body["rater"]:
            rater = people_with_work(project).filter(username=username_of(body["rater"])).first()
            if rater is None:
                raise ValidationError({"rater": ["No member or rater of this project has this name."]})
        rate = set_pay_rate(
            project, body["amount"], body["currency"], body["starts_on"], rater=rater, actor=caller(request)
        )
        return Response(PayRateSerializer(rate).data, status=status.HTTP_201_CREATED)
