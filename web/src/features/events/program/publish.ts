/**
 * Publishing in steps: save the event, upload its first picture, add the known attendees (docs/product.md#9.18).
 * Finished steps stay finished, so a retry repeats only what failed.
 */
import type { Event } from '@fieldroom/contract/events';
import { ApiProblem } from '../../../platform/api/index.ts';
import { addRows, type AttendeeRow, type RowResult } from '../attendees/attendeeInput.ts';
import { type EventPayload, findLatest, saveEvent } from '../eventsApi.ts';
import { uploadPicture } from '../picture/uploadPicture.ts';

type Step = 'idle' | 'saving' | 'uploading' | 'adding' | 'done' | 'failed';
export interface Publication {
  step: Step;
  /** The event's id once it is saved. */
  eventId: number | null;
  saveProblem: unknown;
  /** Whether a save that failed may have arrived. */
  uncertain: boolean;
  pictureDone: boolean;
  /** The sent share of the picture, 0 to 1; null while nothing is being sent. */
  sentPart: number | null;
  /** The therapist stopped the upload; another try sends it again. */
  pictureStopped: boolean;
  pictureProblem: unknown;
  rows: readonly RowResult[];
}
export const NOT_YET: Publication = {
  step: 'idle',
  eventId: null,
  saveProblem: null,
  uncertain: false,
  pictureDone: false,
  sentPart: null,
  pictureStopped: false,
  pictureProblem: null,
  rows: [],
};

export interface ToPublish {
  payload: EventPayload;
  picture: File | null;
  people: readonly AttendeeRow[];
  /**
   * The therapist's last series before this one, null if there was none; it identifies a save whose answer was lost.
   */
  latestSeries: number | null;
}

/**
 * Whether a save may have arrived although it failed: its answer was lost, or something broke on the server, which may
 * have stored the event before.
 */
const mayHaveArrived = (problem: unknown): boolean =>
  !(problem instanceof ApiProblem) || problem.code === 'offline' || problem.status >= 500;

/** Whether the latest event is the one whose save was not answered. */
function isSame(event: Event, { payload, latestSeries }: ToPublish): boolean {
  return (
    event.seriesId !== latestSeries &&
    event.eventName === payload.eventName.normalize('NFC').replace(/\s+/gu, ' ').trim() &&
    event.startTime === payload.startTime &&
    event.dates[0] === payload.dates.toSorted()[0]
  );
}

/**
 * Continues a publication from where it is. Takes what to publish, the finished steps, and a callback for every change.
 * Returns the result: `done`, or `failed` with the problem of each missing step. `signal` stops only the upload.
 */
export async function publish(
  wanted: ToPublish,
  before: Publication,
  tell: (now: Publication) => void,
  signal?: AbortSignal,
): Promise<Publication> {
  let now: Publication = before;
  const set = (change: Partial<Publication>) => {
    now = { ...now, ...change };
    tell(now);
  };
  if (now.eventId === null) {
    set({ step: 'saving', saveProblem: null });
    try {
      const there = now.uncertain ? await findLatest() : null;
      // The first try may have arrived: do not write the event twice.
      set({
        eventId: there && isSame(there, wanted) ? there.seriesId : (await saveEvent(wanted.payload)).id,
        uncertain: false,
      });
    } catch (problem) {
      set({
        step: 'failed',
        saveProblem: problem,
        uncertain: now.uncertain || mayHaveArrived(problem),
      });
      return now;
    }
  }
  const eventId = now.eventId as number;
  if (wanted.picture && !now.pictureDone) {
    set({ step: 'uploading', pictureProblem: null, pictureStopped: false, sentPart: 0 });
    try {
      // All occurrences were written just now, and this is the first of them.
      await uploadPicture(eventId, wanted.picture, 'later', {
        onProgress: (sentPart) => set({ sentPart }),
        ...(signal ? { signal } : {}),
      });
      set({ pictureDone: true, sentPart: null });
    } catch (problem) {
      set(signal?.aborted ? { pictureStopped: true, sentPart: null } : { pictureProblem: problem, sentPart: null });
    }
  }
  if (wanted.people.length > 0) {
    set({ step: 'adding' });
    set({ rows: await addRows(eventId, wanted.people, now.rows, (rows) => set({ rows })) });
  }
  set({
    step:
      now.pictureProblem || now.pictureStopped || now.rows.some(({ state }) => state === 'failed') ? 'failed' : 'done',
  });
  return now;
}
