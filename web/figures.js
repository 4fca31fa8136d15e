'use strict';
// Draws the figures of a page. A figure is data: panels for the plotting library with colours by name, and a table.
(() => {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const panels = [];  // {spec, div, name, hidden, cells}
  const printedWidth = 690;  // of a page of A4 between its margins, in pixels
  const gap = 6;  // between panels, in pixels, as in the style sheet
  const touched = matchMedia('(pointer: coarse)').matches;

  // '@c0' is the colour --c0 of the style sheet, '@c0/0.2' a fifth as opaque.
  const colourKeys = new Set(['color', 'fillcolor', 'bgcolor', 'colorscale', 'linecolor']);
  const colour = token => {
    const [name, opacity] = token.slice(1).split('/');
    const hex = getComputedStyle(root).getPropertyValue('--' + name).trim();
    return opacity ? hex + Math.round(255 * opacity).toString(16).padStart(2, '0') : hex;
  };
  const coloured = (value, inside = false) => {
    if (typeof value === 'string') return inside && value.startsWith('@') ? colour(value) : value;
    if (Array.isArray(value)) return inside ? value.map(item => coloured(item, true)) : value.map(item => coloured(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, inside || colourKeys.has(key))]));
  };

  const axis = (own, narrow) => ({
    automargin: true, gridcolor: colour('@grid'), linecolor: colour('@muted'), zerolinecolor: colour('@line'),
    tickcolor: colour('@muted'), tickfont: {color: colour('@muted'), size: 12}, ticks: 'outside', ticklen: 4,
    showline: true, nticks: narrow ? 5 : undefined, ...coloured(own),
    title: {...(own.title ?? {}), font: {size: 13, color: colour('@ink')}, standoff: 8},
  });

  // A matrix of plots is as high as it is wide, and is scrolled where its cells would be too small to read.
  const sideOfMatrix = (cells, width) => Math.max(115 * cells, Math.min(width, 215 * cells + 60));

  // Labels of neighbouring cells must not touch, nor those of one cell: every tick, every second, every third, …
  const ticksThatFit = ({tickvals, range}, length, character) => {
    const label = character * (1 + Math.max(...tickvals.map(value => String(Number(value.toPrecision(6))).length)));
    const place = value => (value - range[0]) / (range[1] - range[0]) * length;
    const inside = tickvals.filter(value => Math.min(place(value), length - place(value)) > label / 2 - 4);
    const apart = values => values.every((value, i) => i === 0 || place(value) - place(values[i - 1]) > label);
    for (let stride = 1; stride < inside.length; ++stride) {
      const kept = inside.filter((_, i) => i % stride === 0);
      if (apart(kept)) return kept;
    }
    return (inside.length ? inside : tickvals).slice(0, 1);
  };

  const layout = ({spec, div, cells}, width) => {
    const given = coloured(spec.layout), axes = {};
    for (const key of Object.keys({xaxis: 0, yaxis: 0, ...given}))
      if (/^[xy]axis\d*$/.test(key)) axes[key] = axis(spec.layout[key] ?? {}, key[0] === 'x');
    const side = cells && (width ? Math.min(width, 560) : sideOfMatrix(cells, div.parentElement.clientWidth));
    if (side)
      for (const axis of Object.values(axes)) {
        const size = side / cells < 140 ? 10 : 12;
        Object.assign(axis, {tickangle: 0, tickfont: {...axis.tickfont, size}});
        if (axis.tickvals) axis.tickvals = ticksThatFit(axis, 0.94 * (side - 60) / cells, 0.66 * size);
      }
    const textSize = cells ? Math.max(8.5, Math.min(13, (side - 60) / cells / 13)) : 13;
    return {
      ...given,
      autosize: !width && !side, width: side || width, height: side || spec.height,
      annotations: given.annotations?.map(text => ({showarrow: false, ...text, font: {color: colour('@ink'), size: textSize, ...text.font}})),
      font: {family: getComputedStyle(document.body).fontFamily, size: 13, color: colour('@ink')},
      paper_bgcolor: colour('@ground'), plot_bgcolor: colour('@ground'),
      margin: {l: 52, r: 14, t: 34, b: 44, ...spec.layout.margin},
      hoverlabel: {bgcolor: colour('@raised'), bordercolor: colour('@line'), font: {color: colour('@ink')}, align: 'left'},
      showlegend: false, hovermode: 'closest', dragmode: touched ? false : 'zoom',
      title: spec.layout.title && {...spec.layout.title, x: 0, xref: 'paper', xanchor: 'left', y: 1, yref: 'container', yanchor: 'top', pad: {t: 8}, font: {size: 14, color: colour('@ink'), weight: 600}},
      ...axes,
    };
  };

  const config = name => ({
    responsive: true, displaylogo: false, scrollZoom: false, doubleClick: 'reset', doubleClickDelay: 400,
    modeBarButtons: [['toImage', 'resetScale2d']],
    toImageButtonOptions: {format: 'svg', filename: name},
  });

  const isFolded = div => div.closest('details:not([open])') !== null;
  const draw = (panel, width) => {
    const {spec, div, name, hidden} = panel;
    if (isFolded(div)) return undefined;
    const traces = coloured(spec.data).map(trace => ({...trace, visible: !hidden.has(trace.legendgroup)}));
    const shape = layout(panel, width);
    div.style.height = shape.height + 'px';
    return Plotly.react(div, traces, shape, config(name));
  };

  // Rows of panels are full: the number of columns is the one that leaves the least of the last row empty, and the
  // panels of that row share its width.
  const columnsOf = (count, most) => {
    const filled = columns => (count % columns || columns) / columns;
    let best = Math.min(count, most);
    for (let columns = best - 1; 2 * columns > most; --columns) if (filled(columns) > filled(best)) best = columns;
    return best;
  };
  const columnsOnScreen = place => {
    const least = parseFloat(getComputedStyle(place).getPropertyValue('--panel'));
    return columnsOf(place.childElementCount, Math.max(1, Math.floor((place.clientWidth + gap) / (least + gap))));
  };
  const columnsOnPaper = place =>
    columnsOf(place.childElementCount, Number(getComputedStyle(place).getPropertyValue('--print-columns')));
  const arrange = columns => {
    for (const place of document.querySelectorAll('.panels')) place.style.setProperty('--columns', columns(place));
  };

  // One table per figure: columns of names and values, the same on the page and in the file.
  const quoted = value => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const rows = table => table.columns[0]?.map((_, i) => table.columns.map(column => column[i])) ?? [];
  const csv = table => [table.heading, ...rows(table)].map(row => row.map(quoted).join(',') + '\r\n').join('');

  const save = (name, text) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
    link.download = name + '.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const shownRows = 1000;
  const short = value => typeof value === 'number' ? String(Number(value.toPrecision(6))) : value ?? '';
  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const show = (button, place, table) => {
    place.hidden = !place.hidden;
    button.setAttribute('aria-expanded', String(!place.hidden));
    if (place.childElementCount) return;
    const shown = element('table'), body = element('tbody'), heading = element('tr');
    for (const name of table.heading) heading.append(element('th', name));
    shown.append(element('thead'), body);
    shown.tHead.append(heading);
    const all = rows(table);
    for (const row of all.slice(0, shownRows)) {
      const line = element('tr');
      for (const value of row) line.append(element('td', short(value)));
      body.append(line);
    }
    place.append(shown);
    if (all.length > shownRows) place.append(element('p', `The first ${shownRows} of ${all.length} rows; the CSV file contains all of them.`));
  };

  const put = (figure, place) => {
    const hidden = new Set();
    const {cells} = figure, divs = place.querySelectorAll('.plot');
    const mine = figure.panels.map((spec, i) => ({spec, div: divs[i], name: figure.name, hidden, cells}));
    if (window.Plotly) panels.push(...mine);
    const title = place.querySelector('h3').textContent, plain = document.createElement('textarea');
    for (const {spec, div} of mine) {
      plain.innerHTML = spec.layout.title?.text ?? '';  // of a textarea, this is text
      div?.setAttribute('aria-label', [title, plain.value].filter(Boolean).join(': '));
    }
    place.querySelector('.save').addEventListener('click', () => save(figure.name, csv(figure.table)));
    place.querySelector('.show').addEventListener('click', event => show(event.target, place.querySelector('.values'), figure.table));
    for (const key of place.querySelectorAll('.keys button'))
      key.addEventListener('click', () => {
        const group = key.dataset.group, off = hidden.has(group);
        off ? hidden.delete(group) : hidden.add(group);
        key.setAttribute('aria-pressed', String(off));
        if (window.Plotly) mine.forEach(panel => draw(panel));
      });
  };

  const drawAll = width => panels.forEach(panel => draw(panel, width?.(panel)));
  const widthOnPaper = ({div}) => {
    const place = div.closest('.panels'), count = place.childElementCount, columns = columnsOnPaper(place);
    const index = [...place.children].indexOf(div.parentElement), inLastRow = index >= count - (count % columns);
    const inRow = inLastRow ? count % columns || columns : columns;
    return Math.floor((printedWidth - gap * (inRow - 1)) / inRow);
  };

  figures.forEach(figure => put(figure, document.getElementById(figure.name)));
  if (!window.Plotly) {
    root.dataset.ready = 'without figures';
    return;
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawAll());
  let paper = false;
  addEventListener('resize', () => {
    if (paper) return;
    arrange(columnsOnScreen);
    panels.filter(panel => panel.cells).forEach(panel => draw(panel));  // the others follow by themselves
  });
  addEventListener('beforeprint', () => {
    paper = true;
    root.dataset.theme = 'light';
    arrange(columnsOnPaper);
    drawAll(widthOnPaper);
  });
  addEventListener('afterprint', () => {
    paper = false;
    delete root.dataset.theme;
    arrange(columnsOnScreen);
    drawAll();
  });
  for (const folded of document.querySelectorAll('details'))
    folded.addEventListener('toggle', () => {
      if (!folded.open) return;
      arrange(columnsOnScreen);
      panels.filter(({div}) => folded.contains(div)).forEach(panel => draw(panel));
    });
  arrange(columnsOnScreen);
  // One after the other, so that the page can be read meanwhile.
  const next = i => {
    if (i === panels.length) {
      root.dataset.ready = 'true';
      return;
    }
    Promise.resolve(draw(panels[i])).then(() => setTimeout(next, 0, i + 1));
  };
  next(0);
})();
