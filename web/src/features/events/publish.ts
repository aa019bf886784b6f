/**
 * Publishing in its steps: save the event, upload its first picture, add the people who come already (specification 4). Each
 * step that is done stays done, so that another try repeats only what failed.
 */
import type { Event } from '@fieldroom/contract/events';
import { ApiProblem } from '../../platform/api/index.ts';
import { addRows, type AttendeeRow, type RowResult } from './attendees.ts';
import { type EventPayload, findLatest, saveEvent, uploadPicture } from './events.api.ts';

export type Step = 'idle' | 'saving' | 'uploading' | 'adding' | 'done' | 'failed';
export interface Publication {
  step: Step;
  /** The event's id once it is saved. */
  eventId: number | null;
  saveProblem: unknown;
  /** Whether the answer to a save was lost, so that it may have arrived. */
  uncertain: boolean;
  pictureDone: boolean;
  pictureProblem: unknown;
  rows: readonly RowResult[];
}
export const NOT_YET: Publication = { step: 'idle', eventId: null, saveProblem: null, uncertain: false, pictureDone: false, pictureProblem: null, rows: [] };

export interface ToPublish {
  payload: EventPayload;
  picture: File | null;
  people: readonly AttendeeRow[];
  /** Series that the therapist wrote last before this one, null where there was none; what tells a save whose answer was lost. */
  latestSeries: number | null;
}

/** Whether an event that is there now is the one whose save was not answered. */
function isSame(event: Event, { payload, latestSeries }: ToPublish): boolean {
  return event.seriesId !== latestSeries && event.eventName === payload.eventName.normalize('NFC').replace(/\s+/gu, ' ').trim() && event.startTime === payload.startTime && event.dates[0] === payload.dates.toSorted()[0];
}

/**
 * Goes on from where a publication stands. In: what is to be published, what is done so far, who hears of every change. Out:
 * how it ended: `done`, or `failed` with the problem of each step that is missing.
 */
export async function publish(wanted: ToPublish, before: Publication, tell: (now: Publication) => void): Promise<Publication> {
  let now: Publication = before;
  const set = (change: Partial<Publication>) => {
    now = { ...now, ...change };
    tell(now);
  };
  if (now.eventId === null) {
    set({ step: 'saving', saveProblem: null });
    try {
      const there = now.uncertain ? await findLatest() : null;
      // The line broke over the first try's answer: do not write the event twice.
      set({ eventId: there && isSame(there, wanted) ? there.seriesId : await saveEvent(wanted.payload), uncertain: false });
    } catch (problem) {
      set({ step: 'failed', saveProblem: problem, uncertain: now.uncertain || !(problem instanceof ApiProblem) || problem.code === 'offline' });
      return now;
    }
  }
  const eventId = now.eventId as number;
  if (wanted.picture && !now.pictureDone) {
    set({ step: 'uploading', pictureProblem: null });
    try {
      await uploadPicture(eventId, wanted.picture);
      set({ pictureDone: true });
    } catch (problem) {
      set({ pictureProblem: problem });
    }
  }
  if (wanted.people.length > 0) {
    set({ step: 'adding' });
    set({ rows: await addRows(eventId, wanted.people, now.rows, (rows) => set({ rows })) });
  }
  set({ step: now.pictureProblem || now.rows.some(({ state }) => state === 'failed') ? 'failed' : 'done' });
  return now;
}
