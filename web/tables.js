'use strict';
// Filters and sorts the long tables of a page. Without this script they are complete and in the order of the problem.
(() => {
  // The value of "1.36 ± 0.01" or "(1.6 ± 0.2)e6"; the text where there is none.
  const valueOf = text => {
    const plain = text.replaceAll('−', '-').trim(), number = plain.match(/^\(?([-+]?[\d.]+(?:e[-+]?\d+)?)/i);
    if (!number) return plain;
    const power = plain.startsWith('(') ? plain.match(/\)e([-+]?\d+)/)?.[1] ?? 0 : 0;
    return Number(number[1]) * 10 ** power;
  };

  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a.localeCompare(b, 'en', {numeric: true});
  };

  const sortBy = (table, column) => {
    const headings = [...table.tHead.rows[0].cells];
    const down = headings[column].getAttribute('aria-sort') === 'ascending';
    for (const heading of headings) heading.removeAttribute('aria-sort');
    headings[column].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0], last = body.querySelector('tr.sum');
    const rows = [...body.rows].filter(row => row !== last);
    const values = new Map(rows.map(row => [row, valueOf(row.cells[column]?.textContent ?? '')]));
    rows.sort((a, b) => compare(values.get(a), values.get(b)) * (down ? -1 : 1));
    body.append(...rows, ...(last ? [last] : []));
  };

  const addFilter = region => {
    const table = region.querySelector('table'), rows = [...table.tBodies[0].rows].filter(row => !row.classList.contains('sum'));
    const label = document.createElement('label'), field = document.createElement('input'), count = document.createElement('output');
    field.type = 'search';
    label.append('Filter rows ', field);
    const show = () => {
      const wanted = field.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      const shown = rows.filter(row => !row.hidden).length;
      count.textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
    };
    field.addEventListener('input', show);
    show();
    const bar = document.createElement('div');
    bar.className = 'filter';
    bar.append(label, count);
    region.before(bar);
  };

  const addSorting = region => {
    const table = region.querySelector('table');
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      button.addEventListener('click', () => sortBy(table, column));
      heading.append(button);
    });
  };

  for (const region of document.querySelectorAll('.wide.long')) {
    addSorting(region);
    addFilter(region);
  }
})();
