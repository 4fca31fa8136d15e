'use strict';
// Puts the figures of a page on it. A figure is data: panels for the plotting library with colours by name, and a table.
(() => {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const panels = [];  // {spec, div}
  const printedWidth = 690;  // of a page of A4 between its margins, in pixels
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

  const layout = (spec, width) => {
    const given = coloured(spec.layout);
    return {
      ...given,
      autosize: !width, width, height: spec.height,
      font: {family: getComputedStyle(document.body).fontFamily, size: 13, color: colour('@ink')},
      paper_bgcolor: colour('@ground'), plot_bgcolor: colour('@ground'),
      margin: {l: 52, r: 14, t: 34, b: 44, ...spec.layout.margin},
      hoverlabel: {bgcolor: colour('@raised'), bordercolor: colour('@line'), font: {color: colour('@ink')}, align: 'left'},
      showlegend: false, hovermode: 'closest', dragmode: touched ? false : 'zoom',
      title: spec.layout.title && {...spec.layout.title, x: 0, xref: 'paper', xanchor: 'left', y: 1, yref: 'container', yanchor: 'top', pad: {t: 8}, font: {size: 14, color: colour('@ink'), weight: 600}},
      xaxis: axis(spec.layout.xaxis ?? {}, true), yaxis: axis(spec.layout.yaxis ?? {}),
    };
  };

  const config = name => ({
    responsive: true, displaylogo: false, scrollZoom: false, doubleClick: 'reset', doubleClickDelay: 400,
    modeBarButtons: [['toImage', 'resetScale2d']],
    toImageButtonOptions: {format: 'svg', filename: name},
  });

  const draw = ({spec, div, name, hidden}, width) => {
    const traces = coloured(spec.data).map(trace => ({...trace, visible: !hidden.has(trace.legendgroup)}));
    return Plotly.react(div, traces, layout(spec, width), config(name));
  };

  // One table a figure: columns of names and values, the same for the eye and for the file.
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
  const show = (place, table) => {
    place.hidden = !place.hidden;
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
    if (all.length > shownRows) place.append(element('p', `The first ${shownRows} of ${all.length} rows; the file holds all.`));
  };

  const put = (figure, place) => {
    const hidden = new Set();
    const mine = figure.panels.map((spec, i) => ({spec, div: place.querySelectorAll('.plot')[i], name: figure.name, hidden}));
    if (window.Plotly) panels.push(...mine);
    for (const {spec, div} of mine)
      div?.setAttribute('aria-label', [place.querySelector('h3').textContent, spec.layout.title?.text].filter(Boolean).join(': '));
    place.querySelector('.save').addEventListener('click', () => save(figure.name, csv(figure.table)));
    place.querySelector('.show').addEventListener('click', () => show(place.querySelector('.values'), figure.table));
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
    const columns = Number(getComputedStyle(div).getPropertyValue('--print-columns'));
    return Math.floor((printedWidth - 6 * (columns - 1)) / columns);
  };

  figures.forEach(figure => put(figure, document.getElementById(figure.name)));
  if (!window.Plotly) {
    root.dataset.ready = 'without figures';
    return;
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawAll());
  addEventListener('beforeprint', () => {
    root.dataset.theme = 'light';
    drawAll(widthOnPaper);
  });
  addEventListener('afterprint', () => {
    delete root.dataset.theme;
    drawAll();
  });
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
