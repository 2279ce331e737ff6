"""The list of sections: what each contributes to a report."""

from collections import Counter

import pytest

from annotation.reporting import Choices
from annotation.reporting.build import build
from annotation.reporting.data.study import read_study
from annotation.reporting.report import Report
from annotation.reporting.sections.all_sections import SECTIONS, STEPS
from tests.reporting.sampled_studies import study_with_good_judge

pytestmark = pytest.mark.django_db

OF_NO_SECTION = {"schema", "protocol", "software", "data", "method", "inference", "filters"}


def test_each_field_of_a_report_is_computed_by_one_section_and_has_its_type():
    project, choices = study_with_good_judge(), Choices(resamples=100, judge="j")
    study, report = read_study(project, choices, is_slow=True), build(project, choices, agreement_intervals=True)
    fields = [section.compute(study) for section in SECTIONS if section.compute]
    fields += [section.compute_last(study, report) for section in SECTIONS if section.compute_last]
    assert Counter(name for each in fields for name in each) == Counter(set(Report.__struct_fields__) - OF_NO_SECTION)
    assert all(getattr(report, name) == value for each in fields for name, value in each.items())
    assert Report.from_json(report.to_json()).to_json() == report.to_json()


def test_sections_have_anchors_of_their_own_and_are_computed_in_a_step():
    assert len({section.anchor for section in SECTIONS}) == len(SECTIONS)
    assert all(section.step in STEPS for section in SECTIONS if section.compute or section.compute_last)
