import { type Event, eventInput } from '@fieldroom/contract/events';
import { describe, expect, test } from 'vitest';
import { clashesOf } from './when/clashes.ts';
import {
  blankValues,
  changedParts,
  checkForm,
  type Edit,
  type EventFormValues,
  fieldOf,
  furtherOf,
  isFaultless,
  movesPeople,
  occurrencesOf,
  payloadOf,
  rebased,
  valuesFromEarlier,
  valuesOf,
} from './formValues.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const whole: EventFormValues = {
  ...blankValues('de', 'Europe/Vienna'),
  eventName: 'Deinen Platz finden',
  description: 'Ein ruhiges Wochenende.',
  isOnline: false,
  eventLocation: 'Ulmenhof',
  address: 'Ulmengasse 4, 1070 Wien',
  dates: ['2026-12-12', '2026-12-13'],
  startTime: '9:30',
  endTime: '17',
  repeat: true,
  unit: 'week',
  frequency: '4',
  occasions: '3',
  maximumParticipant: '8',
  price: '240,00',
  currency: 'EUR',
};
const check = (change: Partial<EventFormValues>, edit: Edit | null = null) =>
  checkForm({ ...whole, ...change }, 'de', NOW, edit);
const event: Event = {
  id: 31,
  seriesId: 30,
  therapistId: 7,
  therapistName: 'anna',
  status: 'PUBLISHED',
  eventName: 'Abendkreis',
  type: 'GROUP',
  isOnline: true,
  eventLocation: '',
  address: '',
  description: '',
  dates: ['2027-01-09'],
  startTime: '19:00',
  endTime: '21:00',
  timeZone: 'Europe/Budapest',
  startsOn: '2027-01-09T18:00:00Z',
  endsOn: '2027-01-09T20:00:00Z',
  price: '35.00',
  currency: 'EUR',
  maximumParticipant: 12,
  currentParticipantsNumber: 5,
  currentParticipantsInfo: [],
  repetitions: ['2027-01-16'],
  repetitionRule: { unit: 'week', frequency: 1, occasions: 2 },
  files: ['0123456789abcdef0123456789abcdef0123.webp'],
};

describe('the payload is exactly the contract’s', () => {
  test('a new event with its repetition', () => {
    const payload = payloadOf(whole, 'de');
    expect(payload).toEqual({
      id: null,
      eventName: 'Deinen Platz finden',
      type: 'GROUP',
      isOnline: false,
      eventLocation: 'Ulmenhof',
      address: 'Ulmengasse 4, 1070 Wien',
      description: 'Ein ruhiges Wochenende.',
      dates: ['2026-12-12', '2026-12-13'],
      repetitions: ['2027-01-09', '2027-02-06'],
      startTime: '09:30',
      endTime: '17:00',
      timeZone: 'Europe/Vienna',
      price: '240.00',
      currency: 'EUR',
      maximumParticipant: 8,
      repetitionRule: { unit: 'week', frequency: 4, occasions: 3 },
    });
    expect(eventInput.safeParse(payload).success).toBe(true);
  });
  test('removed dates are left out, and so is an empty repetition', () => {
    expect(payloadOf({ ...whole, removed: ['2027-01-09'] }, 'de').repetitions).toEqual(['2027-02-06']);
    expect(payloadOf({ ...whole, repeat: false }, 'de')).toMatchObject({ repetitions: [], repetitionRule: null });
  });
  test('an online event drops the typed address, and a one-to-one event has one place', () => {
    expect(payloadOf({ ...whole, isOnline: true, type: 'ONE_ON_ONE' }, 'de')).toMatchObject({
      eventLocation: '',
      address: '',
      maximumParticipant: 1,
    });
  });
  test('pictures: an earlier one by its name; a new one or none is left out', () => {
    const ref = { eventId: 3, fileName: event.files[0] as string };
    expect(payloadOf({ ...whole, picture: { kind: 'stored', ref } }, 'de').pictureFrom).toEqual(ref);
    expect(
      payloadOf({ ...whole, picture: { kind: 'new', file: new File([''], 'a.jpg'), address: 'blob:x' } }, 'de'),
    ).not.toHaveProperty('pictureFrom');
    expect(payloadOf(whole, 'de')).not.toHaveProperty('pictureFrom');
  });
  test('an edit sends id and scope, keeps picture and rule of the series, and removes a picture by null', () => {
    const values = valuesOf(event, 'de');
    const edit: Edit = { id: 31, scope: 'later', before: values.picture, alone: false, version: null };
    const payload = payloadOf(values, 'de', edit);
    expect(payload).toMatchObject({ id: 31, scope: 'later', repetitions: [], price: '35.00' });
    expect(payload).not.toHaveProperty('repetitionRule');
    expect(payload).not.toHaveProperty('pictureFrom');
    expect(payloadOf({ ...values, picture: { kind: 'none' } }, 'de', edit).pictureFrom).toBeNull();
    expect(eventInput.safeParse(payload).success).toBe(true);
  });
  test('a single event can be repeated later', () => {
    const values = { ...valuesOf(event, 'de'), repeat: true, occasions: '2' };
    expect(
      payloadOf(values, 'de', { id: 31, scope: 'this', before: values.picture, alone: true, version: null }),
    ).toMatchObject({ repetitions: ['2027-01-16'], repetitionRule: { unit: 'week', frequency: 1, occasions: 2 } });
  });
  test('attendees and their number are never sent', () => {
    for (const name of ['currentParticipantsInfo', 'currentParticipantsNumber', 'attendees', 'files'])
      expect(payloadOf(whole, 'de')).not.toHaveProperty(name);
  });
});

describe('faults of a form', () => {
  test('none', () => expect(isFaultless(check({}))).toBe(true));
  test('all at once, each at its place', () => {
    expect(checkForm({ ...blankValues('de', 'Europe/Vienna'), isOnline: false }, 'de', NOW).fields).toEqual({
      eventName: 'required',
      eventLocation: 'required',
      dates: 'required',
      startTime: 'required',
      endTime: 'required',
      maximumParticipant: 'required',
      price: 'required',
    });
  });
  test.each<[string, Partial<EventFormValues>, Record<string, string>]>([
    ['price below zero', { price: '-5' }, { price: 'price_negative' }],
    ['price that is none', { price: 'viel' }, { price: 'not_a_price' }],
    ['too fine for the currency', { price: '5,5', currency: 'JPY' }, { price: 'not_a_price' }],
    ['no time', { startTime: '25:00' }, { startTime: 'not_a_time' }],
    ['end before start', { endTime: '9:00' }, { endTime: 'end_before_start' }],
    ['end at start', { endTime: '09:30' }, { endTime: 'end_before_start' }],
    ['places that are no number', { maximumParticipant: 'acht' }, { maximumParticipant: 'not_a_number' }],
    ['half a place', { maximumParticipant: '8,5' }, { maximumParticipant: 'not_whole' }],
    ['no place', { maximumParticipant: '0' }, { maximumParticipant: 'too_small' }],
    ['501 places', { maximumParticipant: '501' }, { maximumParticipant: 'too_large' }],
    ['yesterday', { dates: ['2026-11-20'] }, { dates: 'in_past' }],
    ['this morning', { dates: ['2026-11-21'] }, { startTime: 'in_past' }],
    ['this evening', { dates: ['2026-11-21'], startTime: '13:30' }, {}],
    ['more than five years ahead', { dates: ['2031-11-22'], repeat: false }, { dates: 'too_far' }],
    ['five years ahead to the day', { dates: ['2031-11-21'], repeat: false }, {}],
    ['a series that goes too far', { unit: 'month', frequency: '12', occasions: '7' }, { occasions: 'too_far' }],
    ['frequency 0', { frequency: '0' }, { frequency: 'too_small' }],
    ['frequency 53', { frequency: '53' }, { frequency: 'too_large' }],
    ['occasions empty', { occasions: '' }, { occasions: 'required' }],
    ['occasions 101', { occasions: '101' }, { occasions: 'too_large' }],
    ['a rule that is switched off', { occasions: '', repeat: false }, {}],
    [
      '61 days',
      {
        dates: Array.from(
          { length: 61 },
          (_, index) => `2027-0${1 + Math.floor(index / 28)}-${String(1 + (index % 28)).padStart(2, '0')}`,
        ),
        repeat: false,
      },
      { dates: 'too_many' },
    ],
    ['a name of 121 letters', { eventName: 'x'.repeat(121) }, { eventName: 'too_long' }],
    ['a name that turns around', { eventName: 'a\u202Eb' }, { eventName: 'unsafe_characters' }],
    ['a zone that is none', { timeZone: 'Mars/Olympus' }, { timeZone: 'unknown_time_zone' }],
  ])('%s', (_, change, expected) => expect(check(change).fields).toEqual(expected));
  test('people: names and address required, phone optional, a duplicate is reported, an empty row is ignored', () => {
    const row = { firstName: 'Réka', familyName: 'Kis', email: 'reka@mail.example', phone: '' };
    expect(check({ attendees: [row] }).rows).toEqual([{}]);
    expect(
      check({
        attendees: [
          { ...row, firstName: ' ', email: 'reka@', phone: 'abc' },
          { ...row, email: 'REKA@mail.example' },
          row,
          { firstName: '', familyName: '', email: '', phone: '' },
        ],
      }).rows,
    ).toEqual([
      { firstName: 'required', email: 'invalid_format', phone: 'invalid_format' },
      {},
      { email: 'twice' },
      {},
    ]);
    expect(check({ maximumParticipant: '1', attendees: [row, { ...row, email: 'b@mail.example' }] }).fields).toEqual({
      maximumParticipant: 'fewer_than_people',
    });
  });
  test('past dates of an edit are left to the server', () =>
    expect(
      check({ dates: ['2026-11-01'] }, { id: 1, scope: 'this', before: { kind: 'none' }, alone: false, version: null })
        .fields,
    ).toEqual({}));
  test('paths of the server map to fields', () =>
    expect(
      ['dates.0', 'repetitions', 'repetitionRule.occasions', 'pictureFrom.fileName', 'price', 'scope'].map(fieldOf),
    ).toEqual(['dates', 'repeat', 'occasions', 'picture', 'price', undefined]));
});

describe('occurrences', () => {
  test('keep the pattern of days; a removal counts only while the rule produces that day', () => {
    expect(occurrencesOf({ ...whole, removed: ['2027-01-09'] })).toEqual([
      ['2026-12-12', '2026-12-13'],
      ['2027-02-06', '2027-02-07'],
    ]);
    expect(furtherOf({ ...whole, removed: ['2027-01-09'], frequency: '1' })).toEqual({
      kept: ['2026-12-19', '2026-12-26'],
      removed: [],
    });
    expect(occurrencesOf({ ...whole, dates: [] })).toEqual([]);
  });
  const plan = (dates: string[], startTime = '09:30', endTime = '17:00', timeZone = 'Europe/Vienna') => ({
    dates,
    startTime,
    endTime,
    timeZone,
  });
  test('clashes with another event are reported with their day, also from another zone', () => {
    const others = [
      { ...plan(['2027-02-06'], '16:00', '18:00'), eventName: 'Abendkreis' },
      { ...plan(['2026-12-13'], '00:30', '02:00', 'Pacific/Auckland'), eventName: 'Fern' },
    ];
    expect(clashesOf([plan(['2026-12-12', '2026-12-13']), plan(['2027-02-05', '2027-02-06'])], others)).toEqual([
      { day: '2026-12-12', eventName: 'Fern' },
      { day: '2027-02-06', eventName: 'Abendkreis' },
    ]);
  });
  test('the next day of another zone may clash with this evening', () => {
    const others = [{ ...plan(['2026-12-13'], '09:00', '11:00', 'Pacific/Auckland'), eventName: 'Fern' }];
    expect(clashesOf([plan(['2026-12-12'], '20:00', '23:00')], others)).toEqual([
      { day: '2026-12-12', eventName: 'Fern' },
    ]);
  });
  test('adjacent times do not clash, and incomplete times never do', () => {
    const others = [{ ...plan(['2026-12-12'], '17:00', '18:00'), eventName: 'Danach' }];
    expect(clashesOf([plan(['2026-12-12'])], others)).toEqual([null]);
    expect(clashesOf([plan(['2026-12-12'], '', '18:00')], others)).toEqual([null]);
    expect(clashesOf([], others)).toEqual([]);
  });
  test('a series that overlaps itself is reported', () =>
    expect(clashesOf([plan(['2026-12-12', '2026-12-13']), plan(['2026-12-13', '2026-12-14'])], [])).toEqual([
      { day: '2026-12-13', eventName: null },
      { day: '2026-12-13', eventName: null },
    ]));
});

test('an earlier event provides everything except its days', () => {
  expect(valuesFromEarlier(event, 'de')).toMatchObject({
    eventName: 'Abendkreis',
    dates: [],
    removed: [],
    repeat: true,
    unit: 'week',
    price: '35,00',
    picture: { kind: 'stored', ref: { eventId: 31, fileName: event.files[0] } },
    attendees: [],
  });
});
test('an email is due when time or place change, not for words, price or the format of a time', () => {
  const before = valuesOf(event, 'de');
  for (const change of [
    { dates: ['2027-01-10'] },
    { startTime: '18:00' },
    { timeZone: 'Europe/London' },
    { isOnline: false, eventLocation: 'X' },
  ])
    expect(movesPeople(before, { ...before, ...change })).toBe(true);
  for (const change of [{ eventName: 'Y' }, { price: '1' }, { startTime: '19' }, { address: 'kept while online' }])
    expect(movesPeople(before, { ...before, ...change })).toBe(false);
});

describe('two screens editing one event', () => {
  const before = {
    ...blankValues('en', 'Europe/Vienna'),
    eventName: 'Circle',
    startTime: '18:00',
    endTime: '20:00',
    dates: ['2026-12-17'],
    maximumParticipant: '8',
    price: '35.00',
    description: 'Calm.',
  };

  test('parts that differ only in form are not changes', () => {
    expect(
      changedParts(before, {
        ...before,
        startTime: '18',
        description: ' Calm. ',
        address: 'typed while it was online',
      }),
    ).toEqual([]);
    expect(changedParts(before, { ...before, startTime: '18:30', price: '36' })).toEqual(['times', 'price']);
  });

  test('typed changes are applied on top of the stored ones; parts that belong together stay together', () => {
    const typed = { ...before, description: 'My words', startTime: '17:00' };
    const newer = { ...before, description: 'Their words', endTime: '22:00', price: '40.00' };
    expect(rebased(typed, before, newer)).toMatchObject({
      description: 'My words',
      startTime: '17:00',
      endTime: '20:00',
      price: '40.00',
      eventName: 'Circle',
    });
    expect(rebased({ ...before, description: 'My words' }, before, newer)).toMatchObject({
      description: 'My words',
      startTime: '18:00',
      endTime: '22:00',
    });
  });
});
