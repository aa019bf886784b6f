import { expect, test } from 'vitest';
import deBooking from './de/booking.json';
import de from './de/help.json';
import deShell from './de/shell.json';
import enBooking from './en/booking.json';
import en from './en/help.json';
import enShell from './en/shell.json';
import huBooking from './hu/booking.json';
import hu from './hu/help.json';
import huShell from './hu/shell.json';
import roBooking from './ro/booking.json';
import ro from './ro/help.json';
import roShell from './ro/shell.json';

const HELP = Object.entries({ en, de, hu, ro });

test.each(HELP)('11.39 the help in %s names the connection that a live session needs', (_, { groups }) => {
  const answers = groups.flatMap(({ questions }) => questions.map(({ a }) => a));
  const about = answers.find((answer) => answer.includes('Mbit/s')) ?? '';
  expect([...about.matchAll(/(\d+) Mbit/g)].map(([, mbit]) => mbit)).toEqual(['15', '2', '30', '10']);
});

test.each(HELP)('11.39 the help in %s has as many questions as in English', (_, { groups }) =>
  expect(groups.map(({ questions }) => questions.length)).toEqual(en.groups.map(({ questions }) => questions.length)),
);

const WITH_OTHERS = [
  ['en', en, enBooking, enShell],
  ['de', de, deBooking, deShell],
  ['hu', hu, huBooking, huShell],
  ['ro', ro, roBooking, roShell],
] as const;

test.each(WITH_OTHERS)(
  '9.19 the help in %s names what people leave when they book, and promises no reminder',
  (_, help, { finalize }) => {
    const booking = help.groups[2]!.questions[1]!.a.toLowerCase();
    expect(booking).toContain(finalize.phone.toLowerCase());
    expect(JSON.stringify(help)).not.toMatch(/reminder|erinnerung|emlékeztető|memento/i);
  },
);

test.each(WITH_OTHERS)('12.4 the help in %s says where the period for names is chosen', (_, help, __, { retention }) =>
  expect(help.groups[3]!.questions[2]!.a).toMatch(new RegExp(`[“„]${retention.title}[”“]`)),
);
