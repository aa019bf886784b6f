/**
 * A bill as PDF: one calm A4 page in the customer's language, made from the row alone. The same row always gives the
 * same bytes, so nothing but the row has to be kept. pdfkit opens and measures a font again for each document, which
 * took 100 ms of processor time. Here the fonts are opened once and remember the words they have measured: 3 ms (`npm
 * run -w bench bills`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Language } from '@fieldroom/contract/text';
import * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';
import { fill } from '../../../emails/emails.ts';
import { amountText, countryText, dayText, monthText, percentText } from '../billing.format.ts';
import { WORDS } from './billing.pdf.words.ts';
import { numberOf } from '../billing.rules.ts';
import type { BillRow } from '../billing.store.ts';

/** What a bill shows. */
export type PrintedBill = Omit<BillRow, 'id' | 'therapistId' | 'email' | 'emailedAt'>;

const INK = '#22272B';
const QUIET = '#5A6066';
const ACCENT = '#15579C';
const RULE = '#E4E1D8';
/** Points; an A4 page has 595.28 × 841.89. */
const LEFT = 56;
const RIGHT = 539;
const WIDTH = RIGHT - LEFT;
const GAP = 28;
const COLUMN = (WIDTH - GAP) / 2;
const SMALL = 8;
const BODY = 9.5;
const SMALLEST = 6.5;
const LINE_GAP = 1.5;
/** The share of the page that the seller and the customer may take. */
const PARTY_HEIGHT = 240;

/** Noto Sans has Latin, Greek and Cyrillic letters with all their accents. */
const FONTS = {
  regular: openFont('400Regular/NotoSans_400Regular.ttf'),
  bold: openFont('600SemiBold/NotoSans_600SemiBold.ttf'),
};
type Font = keyof typeof FONTS;

/**
 * The number of words that a font remembers. Amounts and names differ from bill to bill, so it forgets them all from
 * time to time.
 */
const WORDS_KEPT = 5000;

function openFont(file: string): fontkit.Font {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${file}`));
  const font = fontkit.create(bytes) as fontkit.Font;
  const known = new Map<string, fontkit.GlyphRun>();
  return Object.assign(Object.create(font) as fontkit.Font, {
    layout(text: string, features?: string[]) {
      if (features !== undefined) return font.layout(text, features);
      if (known.size > WORDS_KEPT) known.clear();
      const run = known.get(text) ?? font.layout(text);
      known.set(text, run);
      // pdfkit changes the positions that it gets.
      return Object.assign(Object.create(run) as fontkit.GlyphRun, {
        positions: run.positions.map((position) => ({ ...position })),
      });
    },
  });
}

/** Makes the PDF of a bill. Source: docs/product.md#8.3. */
export async function printBill(bill: PrintedBill): Promise<Uint8Array> {
  const words = WORDS[bill.language];
  const number = numberOf(bill);
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: bill.language,
    displayTitle: true,
    // No font of pdfkit's own is loaded.
    font: null as never,
    info: {
      Title: `${words.title} ${number}`,
      Author: bill.seller.name,
      // The file's identity is a hash of these; use the day of issue, so that it is always the same.
      CreationDate: new Date(`${bill.issuedOn}T00:00:00Z`),
    },
  });
  for (const [name, font] of Object.entries(FONTS)) document.registerFont(name, font as never);
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  draw(document, bill, number);
  document.end();
  return done;
}

interface Style {
  readonly font?: Font;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

function draw(document: PDFKit.PDFDocument, bill: PrintedBill, number: string): void {
  const { language, seller } = bill;
  const words = WORDS[language];
  const amount = (minor: number) => amountText(language, minor, bill.currency);

  /** Writes a text, in several lines if it needs them. Returns where it ends. */
  function write(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const { font = 'regular', size = BODY, color = INK, align = 'left' } = style;
    document.font(font).fontSize(size).fillColor(color);
    const wide = document.widthOfString(text);
    if (wide > width) {
      document.text(text, x, y, { width, align, lineGap: LINE_GAP });
      return document.y;
    }
    // Looking for places to break takes as long as all the rest of a line.
    document.text(text, align === 'right' ? x + width - wide : x, y, { lineBreak: false });
    return y + document.currentLineHeight(true) + LINE_GAP;
  }
  /** Writes a label with lines under it. Returns where it ends. */
  function block(
    label: string,
    lines: readonly string[],
    x: number,
    y: number,
    width: number,
    style: Style = {},
  ): number {
    let at = write(label, x, y, width, { size: SMALL, color: QUIET }) + 2;
    for (const [index, line] of lines.entries())
      at = write(line, x, at, width, index === 0 ? style : { ...style, font: 'regular' });
    return at;
  }
  /** The largest size at which a party's lines leave room for the rest of the page. */
  function sizeFor(lines: readonly string[]): number {
    const height = (size: number) =>
      lines.reduce((sum, line) => {
        document.font('bold').fontSize(size);
        return sum + document.heightOfString(line, { width: COLUMN, lineGap: LINE_GAP });
      }, 0);
    return [BODY, SMALL].find((size) => height(size) <= PARTY_HEIGHT) ?? SMALLEST;
  }
  function rule(y: number): void {
    document.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(RULE).stroke();
  }

  let y = write('Fieldroom', LEFT, 48, COLUMN, { font: 'bold', size: 11, color: ACCENT }) + 6;
  write(words.title, LEFT, y, COLUMN, { font: 'bold', size: 24 });
  y = write(number, LEFT + COLUMN + GAP, y + 8, COLUMN, { font: 'bold', size: 14, align: 'right' });

  y += 22;
  const party = (label: string, lines: readonly string[], x: number) =>
    block(label, lines, x, y, COLUMN, { font: 'bold', size: sizeFor(lines) });
  const sellerEnd = party(
    words.seller,
    [seller.name, seller.address, `${words.taxNumber}: ${seller.taxNumber}`, seller.email],
    LEFT,
  );
  y = Math.max(sellerEnd, party(words.customer, customerLines(bill, language), LEFT + COLUMN + GAP)) + 18;
  rule(y);
  const quarter = WIDTH / 4;
  const facts: [string, string][] = [
    [words.number, number],
    [words.month, monthText(language, bill.month)],
    [words.issued, dayText(language, bill.issuedOn)],
    [words.due, dayText(language, bill.dueOn)],
  ];
  y =
    Math.max(
      ...facts.map(([label, value], index) => block(label, [value], LEFT + index * quarter, y + 10, quarter - 10)),
    ) + 10;
  rule(y);

  // The one line of the bill: service, hours, price per hour, total.
  const columns = { what: 248, hours: 50, price: 92, amount: 93 };
  const hoursAt = LEFT + columns.what;
  const priceAt = hoursAt + columns.hours;
  const amountAt = priceAt + columns.price;
  y += 22;
  const head: Style = { size: SMALL, color: QUIET };
  const headEnd = Math.max(
    write(words.service, LEFT, y, columns.what - 10, head),
    write(words.hours, hoursAt, y, columns.hours, { ...head, align: 'right' }),
    write(words.price, priceAt, y, columns.price, { ...head, align: 'right' }),
    write(words.amount, amountAt, y, columns.amount, { ...head, align: 'right' }),
  );
  y = headEnd + 5;
  rule(y);
  y += 8;
  write(String(bill.hours), hoursAt, y, columns.hours, { align: 'right' });
  write(amount(bill.hourPrice), priceAt, y, columns.price, { align: 'right' });
  write(amount(bill.net), amountAt, y, columns.amount, { align: 'right' });
  y = write(fill(words.usage, { month: monthText(language, bill.month) }), LEFT, y, columns.what - 10);
  y = write(fill(words.startedHours, { time: timeText(bill.seconds) }), LEFT, y + 2, columns.what - 10, head) + 8;
  rule(y);

  const totalsAt = hoursAt;
  const labelWidth = columns.hours + columns.price;
  const total = (label: string, minor: number, style: Style = {}) => {
    const start = y;
    const labelEnd = write(label, totalsAt, start, labelWidth, style);
    y = Math.max(
      labelEnd,
      write(amount(minor), amountAt - 20, start, columns.amount + 20, { ...style, align: 'right' }),
    );
    y += 4;
  };
  y += 10;
  total(words.net, bill.net);
  total(fill(words.tax, { percent: percentText(language, bill.taxPercent) }), bill.tax);
  y += 2;
  total(words.gross, bill.gross, { font: 'bold', size: 12 });
  if (bill.reverseCharge) y = write(words.reverseCharge, LEFT, y + 8, WIDTH);

  y += 20;
  rule(y);
  y += 14;
  y = write(words.payment, LEFT, y, WIDTH, { font: 'bold', size: 11 }) + 6;
  const fits = (value: string) => document.font('regular').fontSize(BODY).widthOfString(value) <= WIDTH - 140;
  for (const [label, value] of [
    [words.bank, seller.bank],
    [words.reference, number],
    [words.questions, seller.email],
  ] as const) {
    const start = y;
    const labelEnd = write(label, LEFT, start, 130, { color: QUIET });
    y = Math.max(labelEnd, write(value, LEFT + 140, start, WIDTH - 140, { size: fits(value) ? BODY : SMALL })) + 2;
  }
  write(words.tree, LEFT, Math.max(y + 14, 790), WIDTH, { size: SMALL, color: QUIET });
}

/** `12:05:09`: hours, minutes, seconds. */
function timeText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function customerLines({ customer }: PrintedBill, language: Language): string[] {
  const words = WORDS[language];
  const { name, address, zip, city, country } = customer.entity ?? customer;
  return [
    name,
    address,
    `${zip} ${city}`,
    countryText(language, country),
    ...(customer.entity === null ? [] : [`${words.taxNumber}: ${customer.entity.taxNumber}`]),
    ...(customer.contactPerson === name ? [] : [`${words.contactPerson}: ${customer.contactPerson}`]),
  ];
}
