/** A row of My events as a person reads it. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWords, switchLanguage } from '../../../../platform/i18n/app.ts';
import { theme } from '../../../../ui/theme/theme.ts';
import { anOwnEvent } from '../../eventPages.testing.tsx';
import { EventRow } from './EventRow.tsx';
import { browserZone } from '../../../../platform/i18n/formats.ts';

const event = anOwnEvent({
  eventName: 'Abendkreis',
  isOnline: true,
  eventLocation: '',
  address: '',
  description: '',
  currentParticipantsNumber: 5,
  confirmed: 4,
});
const nothing = () => {};
const acts = {
  onAttendees: nothing,
  onEdit: nothing,
  onShare: nothing,
  onCancelEvent: nothing,
  onCancelBooking: nothing,
  onHide: nothing,
  onHoldEnded: nothing,
};
function draw(change: Partial<OwnEvent> = {}): string {
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <ul>
        <EventRow event={{ ...event, ...change }} clock={() => Date.parse('2026-12-01T09:00:00Z')} acts={acts} />
      </ul>
    </MantineProvider>,
  );
  return (screen.getByRole('listitem').textContent ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');
}
/** A time zone that differs from that of any test machine. */
const [elsewhere, city] = browserZone() === 'Europe/Vienna' ? ['Europe/Rome', 'Rom'] : ['Europe/Vienna', 'Wien'];

beforeAll(() => startWords(['events', 'my-events']));
beforeEach(() => switchLanguage('de'));
afterEach(async () => {
  cleanup();
  await switchLanguage('en');
});

test('shows the price, or that the event is free', () => {
  expect(draw()).toContain('35 €');
  cleanup();
  const free = draw({ price: '0.00' });
  expect(free).toContain('kostenlos');
  expect(free).not.toContain('0 €');
});

test('names the city of another zone in the language of the page, and never the reader’s own zone', () => {
  expect(draw({ timeZone: elsewhere as string })).toContain(`Ortszeit ${city}`);
  cleanup();
  expect(draw({ timeZone: browserZone() })).not.toContain('Ortszeit');
});
