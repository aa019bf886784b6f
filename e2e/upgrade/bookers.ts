/** People who book at the demo's therapist, and what becomes of it. */
import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';
import type { Booker } from '../journeys/events.ts';
import type { Reader } from './values.ts';
import type { Node } from './versions.ts';

/** An event of the demo with free places. */
export const EVENING = 'An evening of constellations';
const booker = (firstName: string, familyName: string): Booker => ({
  ...{ firstName, familyName, phone: '+43 660 000 204' },
  email: `${firstName.toLowerCase()}@mail.example`,
});
export const JONAS = booker('Jonas', 'Abt');
export const MIRELA = booker('Mirela', 'Sand');
export const KARIM = booker('Karim', 'Winter');

/** The number of the event whose page is open. */
export function eventOn(page: Page): number {
  const id = /\d+$/.exec(new URL(page.url()).pathname)?.[0];
  if (id === undefined) throw new Error(`no event at ${page.url()}`);
  return Number(id);
}

/** Confirms a booking by the link of its email. */
export async function confirm(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(page.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
}

/** Waits until the page is the private one of somebody's booking. */
export const expectPrivatePage = (page: Page, { firstName }: Booker): Promise<void> =>
  expect(page.getByText(`We look forward to seeing you, ${firstName}.`, { exact: false })).toBeVisible();

/** Asserts that each of these people has one confirmed booking of the event, by a node's list for its therapist. */
export async function expectBooked(
  node: Node,
  { token }: Reader,
  eventId: number,
  people: readonly Booker[],
): Promise<void> {
  const answer = await fetch(`${node.url}/api/event-booking/${eventId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bookings = JSON.stringify(await answer.json());
  for (const { email } of people) expect(bookings.split(email), `${email} in ${bookings}`).toHaveLength(2);
}
