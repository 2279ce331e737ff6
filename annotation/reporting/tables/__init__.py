"""What a table of a report is: typed columns, and rows that hold values. Each format of it has one renderer in this
package; the kind of a column decides how its values look in all of them.
"""

from .table import Column, Figure, Kind, Row, Table, TidyRow

__all__ = ["Column", "Figure", "Kind", "Row", "Table", "TidyRow"]
