"""Reads a CSV or XLSX file with the standard library and prints its rows as JSON; empty cells at the end are left out."""
import csv, json, re, sys, zipfile
from xml.etree import ElementTree

NS = {'m': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'}


def text_of(node):
    text = ''.join(part.text or '' for part in node.iterfind('.//m:t', NS))
    return re.sub(r'_x([0-9A-Fa-f]{4})_', lambda found: chr(int(found[1], 16)), text)


def sheet(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        parts = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith('.xml')}
    strings = [text_of(node) for node in parts['xl/sharedStrings.xml'].iterfind('m:si', NS)]
    page = next(root for name, root in parts.items() if re.fullmatch(r'xl/worksheets/sheet\d+\.xml', name))
    assert page.find('.//m:f', NS) is None, 'a formula'
    for row in page.iterfind('.//m:row', NS):
        cells = []
        for cell in row.iterfind('m:c', NS):
            value = cell.find('m:v', NS)
            if value is None:
                continue
            column = 0
            for letter in re.match('[A-Z]+', cell.get('r'))[0]:
                column = column * 26 + ord(letter) - 64
            cells += [None] * (column - 1 - len(cells))
            kind = cell.get('t', 'n')
            number = float(value.text) if kind == 'n' else None
            cells.append(strings[int(value.text)] if kind == 's' else int(number) if number == int(number) else number)
        yield cells


path = sys.argv[1]
if path.endswith('.csv'):
    with open(path, newline='', encoding='utf-8-sig') as file:
        rows = list(csv.reader(file, strict=True))
else:
    rows = list(sheet(path))
json.dump(rows, sys.stdout)
