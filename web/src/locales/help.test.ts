import { expect, test } from 'vitest';
import de from './de/help.json';
import en from './en/help.json';
import hu from './hu/help.json';
import ro from './ro/help.json';

const HELP = Object.entries({ en, de, hu, ro });

test.each(HELP)('11.39 the help in %s names the connection that a live session needs', (_, { groups }) => {
  const answers = groups.flatMap(({ questions }) => questions.map(({ a }) => a));
  const about = answers.find((answer) => answer.includes('Mbit/s')) ?? '';
  expect([...about.matchAll(/(\d+) Mbit/g)].map(([, mbit]) => mbit)).toEqual(['15', '2', '30', '10']);
});

test.each(HELP)('11.39 the help in %s has as many questions as in English', (_, { groups }) =>
  expect(groups.map(({ questions }) => questions.length)).toEqual(en.groups.map(({ questions }) => questions.length)),
);
