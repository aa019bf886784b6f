/**
 * How an email looks: one calm column in the product's colours, made of tables and inline styles, because that is what
 * mail programs understand; and the same words as plain text. All words are text, never markup: React escapes them.
 */
import type { Language } from '@fieldroom/contract/text';
import { createElement as h } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** A table of facts: the label on the left, and on the right its value in one or several lines. */
export interface FactTable {
  /** Above the table, if an email has more than one. */
  readonly heading?: string;
  readonly rows: readonly { readonly label: string; readonly lines: readonly string[] }[];
  /** Below the table, if each table of an email leads somewhere else. */
  readonly button?: { readonly label: string; readonly url: string; readonly fallback: string };
}

export interface EmailContent {
  readonly language: Language;
  /** The heading; usually the subject. */
  readonly title: string;
  readonly greeting: string;
  /** Before the button. */
  readonly paragraphs: readonly string[];
  /** After the paragraphs: what somebody wrote, with its line breaks. */
  readonly quote?: { readonly label: string; readonly text: string };
  /** After the paragraphs and the quotation. */
  readonly facts?: readonly FactTable[];
  /** `fallback` comes before the address, for programs in which the button does nothing. */
  readonly button?: { readonly label: string; readonly url: string; readonly fallback: string };
  /** The sender's name, beside the mark at the top. */
  readonly brand: string;
  /** After the button. */
  readonly after?: readonly string[];
  /** Closing lines and the sender's name. */
  readonly footer: string | readonly string[];
}

const ACCENT = '#15579C';
const PAPER = '#F8F7F3';
const INK = '#22272B';
const QUIET = '#5A6066';
const FONT = "Figtree, 'Helvetica Neue', Helvetica, Arial, sans-serif";

/** The card's text begins after its line and its padding; so does the text above and below it. */
const BESIDE_CARD = '0 33px';

const bare = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;

function table(style: CSSProperties, cell: CSSProperties, ...children: ReactNode[]): ReactNode {
  return h(
    'table',
    { ...bare, width: '100%', style },
    h('tbody', null, h('tr', null, h('td', { style: cell }, ...children))),
  );
}

function paragraph(text: string, key: string | number, style: CSSProperties = {}): ReactNode {
  return h(
    'p',
    { key, style: { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: INK, ...style } },
    text,
  );
}

/** The product's mark in cells alone: mail programs load pictures only when somebody allows it. */
function mark(brand: string): ReactNode {
  return h(
    'table',
    { ...bare, style: { margin: '0 0 16px' } },
    h(
      'tbody',
      null,
      h(
        'tr',
        null,
        h(
          'td',
          { style: { padding: '0 10px 0 0', verticalAlign: 'middle' } },
          h(
            'div',
            {
              style: {
                width: '14px',
                height: '14px',
                border: `6px solid ${ACCENT}`,
                borderRadius: '50%',
                background: '#FFFFFF',
                fontSize: 0,
                lineHeight: 0,
              },
            },
            '\u00A0',
          ),
        ),
        h(
          'td',
          { style: { fontSize: '17px', lineHeight: '26px', fontWeight: 600, color: INK, fontFamily: FONT } },
          brand,
        ),
      ),
    ),
  );
}

/** The address of the button as a link that can be copied too. */
function address({ fallback, url }: { fallback: string; url: string }): ReactNode {
  return h(
    'p',
    { style: { margin: '0 0 16px', fontSize: '13px', lineHeight: '20px', color: QUIET } },
    fallback,
    h('br'),
    h('a', { href: url, target: '_blank', rel: 'noreferrer', style: { color: ACCENT, wordBreak: 'break-all' } }, url),
  );
}

/** A button as a padded cell: programs that ignore padding on links still show a field of that size. */
function button({ label, url }: { label: string; url: string }): ReactNode {
  return h(
    'table',
    { ...bare, style: { margin: '8px 0 24px' } },
    h(
      'tbody',
      null,
      h(
        'tr',
        null,
        h(
          'td',
          { style: { background: ACCENT, borderRadius: '8px' } },
          h(
            'a',
            {
              href: url,
              target: '_blank',
              rel: 'noreferrer',
              style: {
                display: 'inline-block',
                padding: '13px 24px',
                fontSize: '16px',
                lineHeight: '22px',
                fontWeight: 600,
                color: '#FFFFFF',
                textDecoration: 'none',
                fontFamily: FONT,
              },
            },
            label,
          ),
        ),
      ),
    ),
  );
}

/** Words that somebody wrote, marked by a rule at the side. */
function quotation({ label, text }: { label: string; text: string }): ReactNode {
  return h(
    'div',
    { style: { margin: '0 0 20px', padding: '2px 0 2px 16px', borderLeft: '3px solid #E4E1D8' } },
    h('p', { style: { margin: '0 0 4px', fontSize: '14px', lineHeight: '21px', color: QUIET } }, `${label}:`),
    // Line breaks as elements: some mail programs drop `white-space`.
    h('p', { style: { margin: 0, fontSize: '16px', lineHeight: '25px', color: INK } }, broken(text.split('\n'))),
  );
}

const broken = (texts: readonly string[]): ReactNode[] =>
  texts.flatMap((text, index) => (index === 0 ? [text] : [h('br', { key: index }), text]));

function factTable({ heading, rows, button: link }: FactTable, key: number): ReactNode {
  const cell = {
    padding: '7px 0',
    fontSize: '15px',
    lineHeight: '22px',
    verticalAlign: 'top',
    borderTop: '1px solid #E4E1D8',
  } as const;
  return h(
    'div',
    { key, style: { margin: '0 0 20px' } },
    heading === undefined
      ? null
      : h(
          'p',
          { style: { margin: '0 0 8px', fontSize: '16px', lineHeight: '25px', fontWeight: 600, color: INK } },
          heading,
        ),
    h(
      'table',
      { cellPadding: 0, cellSpacing: 0, border: 0, width: '100%', style: { borderBottom: '1px solid #E4E1D8' } },
      h(
        'tbody',
        null,
        rows.map(({ label, lines: values }) =>
          h(
            'tr',
            { key: label },
            h(
              'th',
              {
                scope: 'row',
                align: 'left',
                style: { ...cell, width: '32%', paddingRight: '12px', fontWeight: 400, color: QUIET },
              },
              label,
            ),
            h('td', { style: { ...cell, color: INK, wordBreak: 'break-word' } }, broken(values)),
          ),
        ),
      ),
    ),
    link ? h('div', { style: { marginTop: '20px' } }, button(link), address(link)) : null,
  );
}

const factText = ({ heading, rows, button: link }: FactTable): string =>
  [
    ...(heading === undefined ? [] : [`${heading}:`]),
    ...rows.map(({ label, lines: values }) =>
      values.length === 1 ? `${label}: ${values[0]}` : `${label}:\n${values.map((value) => `  ${value}`).join('\n')}`,
    ),
    ...(link ? [`${link.label}:\n${link.url}\n`] : []),
  ].join('\n');

const lines = (text: string | readonly string[]) => (typeof text === 'string' ? [text] : text);

/**
 * Makes an email from words that are already in the right language. Throws if the address of a button is not http(s).
 * Returns HTML and text.
 */
export function renderEmail({
  language,
  title,
  greeting,
  paragraphs,
  quote,
  facts = [],
  button: link,
  after = [],
  brand,
  footer,
}: EmailContent): { html: string; text: string } {
  for (const { url } of [link, ...facts.map((table) => table.button)].filter((one) => one !== undefined))
    if (!/^https?:\/\//.test(url)) throw new Error('an email links to web addresses only');
  const page = h(
    'html',
    { lang: language },
    h(
      'head',
      null,
      h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light' }),
      h('title', null, title),
    ),
    h(
      'body',
      { style: { margin: 0, padding: 0, background: PAPER, fontFamily: FONT } },
      table(
        { background: PAPER },
        { padding: '32px 16px' },
        h(
          'table',
          { ...bare, width: '100%', align: 'center', style: { maxWidth: '560px', margin: '0 auto' } },
          h(
            'tbody',
            null,
            h('tr', null, h('td', { style: { padding: BESIDE_CARD, fontFamily: FONT } }, mark(brand))),
            h(
              'tr',
              null,
              h(
                'td',
                {
                  style: {
                    background: '#FFFFFF',
                    border: '1px solid #E4E1D8',
                    borderRadius: '12px',
                    padding: '32px',
                    fontFamily: FONT,
                  },
                },
                h(
                  'h1',
                  { style: { margin: '0 0 20px', fontSize: '22px', lineHeight: '30px', fontWeight: 600, color: INK } },
                  title,
                ),
                paragraph(greeting, 'greeting'),
                paragraphs.map((text, index) => paragraph(text, index)),
                quote ? quotation(quote) : null,
                facts.map(factTable),
                link ? button(link) : null,
                link ? address(link) : null,
                after.map((text, index) => paragraph(text, `after ${index}`)),
              ),
            ),
            h(
              'tr',
              null,
              h(
                'td',
                { style: { padding: BESIDE_CARD, paddingTop: '20px', fontFamily: FONT } },
                lines(footer).map((text, index) =>
                  paragraph(text, index, { margin: '0 0 4px', fontSize: '14px', lineHeight: '21px', color: QUIET }),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  const quoted = quote
    ? [
        `${quote.label}:\n${quote.text
          .split('\n')
          .map((line) => (line === '' ? '>' : `> ${line}`))
          .join('\n')}`,
      ]
    : [];
  const text = [
    title,
    greeting,
    ...paragraphs,
    ...quoted,
    ...facts.map(factText),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...after,
    lines(footer).join('\n'),
  ].join('\n\n');
  return { html: `<!DOCTYPE html>${renderToStaticMarkup(page)}`, text: `${text}\n` };
}
