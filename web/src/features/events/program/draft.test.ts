// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { textStore } from '../../../platform/storage.ts';
import { dropDraft, findDraft, keepDraft, keepDraftPicture } from './draft.ts';
import { blankValues, type EventFormValues } from '../form/formValues.ts';

describe('the draft of this device', () => {
  const blank = blankValues('en', 'Europe/Vienna');
  const store = (kept = new Map<string, string>()) => ({
    kept,
    local: textStore(
      () =>
        ({
          getItem: (key: string) => kept.get(key) ?? null,
          setItem: (key: string, value: string) => void kept.set(key, value),
          removeItem: (key: string) => void kept.delete(key),
        }) as unknown as Storage,
    ),
  });
  const values: EventFormValues = {
    ...blank,
    eventName: 'Finding your place',
    dates: ['2026-12-12'],
    attendees: [{ firstName: 'Réka', familyName: 'Kis', email: 'reka@mail.example', phone: '' }],
    picture: { kind: 'stored', ref: { eventId: 3, fileName: 'a.webp' } },
  };

  test('keeps words and the chosen picture, and no names of people, for one therapist', () => {
    const { kept, local } = store();
    keepDraft(1, values, local);
    expect([...kept.values()].join()).not.toContain('reka');
    // As after a reload: only the disk is left.
    const disk = [...kept.entries()];
    dropDraft(1, local);
    const after = store(new Map(disk.map(([key, text]) => [key.replace('_1', '_2'), text])));
    expect(findDraft(2, blank, after.local)).toEqual({ ...values, attendees: [] });
    expect(findDraft(3, blank, after.local)).toBeNull();
  });
  describe('a picture that was just cropped', () => {
    afterEach(() => vi.unstubAllGlobals());
    const cut = () => ({
      kind: 'new' as const,
      file: new File([new Uint8Array([0xff, 0xd8, 0, 7])], 'picture.jpg', { type: 'image/jpeg' }),
      address: 'blob:cut',
    });
    const withAddresses = () =>
      vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:again', revokeObjectURL: () => {} }));

    test('is there after a reload, and is removed with the draft', async () => {
      withAddresses();
      const { kept, local } = store();
      keepDraft(11, { ...values, picture: cut() }, local);
      expect(await keepDraftPicture(11, cut(), local)).toBe(true);
      // As after a reload, for another therapist without data in this tab.
      const after = store(new Map([...kept].map(([key, text]) => [key.replace('_11', '_12'), text])));
      const found = findDraft(12, blank, after.local)?.picture;
      expect(found).toMatchObject({ kind: 'new', address: 'blob:again' });
      const file = (found as { file: File }).file;
      expect([file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual(['image/jpeg', [0xff, 0xd8, 0, 7]]);
      dropDraft(12, after.local);
      expect(after.kept.size).toBe(0);
    });
    test('is forgotten when another one is chosen, or none', async () => {
      const { kept, local } = store();
      await keepDraftPicture(13, cut(), local);
      expect(await keepDraftPicture(13, values.picture, local)).toBe(true);
      expect(kept.size).toBe(0);
    });
    test('that is too large for storage is reported, and the old one is removed', async () => {
      const { kept, local } = store();
      await keepDraftPicture(14, cut(), local);
      const full = { ...local, set: () => false };
      expect(await keepDraftPicture(14, cut(), full)).toBe(false);
      expect(kept.size).toBe(0);
    });
    test('that is corrupt is ignored', () => {
      withAddresses();
      const { local } = store(
        new Map([
          ['event_draft_15', '{"eventName":"Old"}'],
          ['event_draft_picture_15', 'data:image/jpeg;base64,%%%'],
        ]),
      );
      expect(findDraft(15, blank, local)).toEqual({ ...blank, eventName: 'Old' });
    });
  });
  test('within the tab nothing is lost, and clearing removes both copies', () => {
    const { kept, local } = store();
    keepDraft(4, values, local);
    expect(findDraft(4, blank, local)).toEqual(values);
    dropDraft(4, local);
    expect([findDraft(4, blank, local), kept.size]).toEqual([null, 0]);
  });
  test.each([
    '{',
    'null',
    '[]',
    '5',
    '{"dates":["2026-02-30"],"timeZone":"Mars/Olympus","currency":"XXX","type":"PARTY","removed":[1]}',
  ])('a corrupt draft is ignored: %s', (text) => {
    const { local } = store(new Map([['event_draft_5', text]]));
    expect(findDraft(5, blank, local)).toBeNull();
  });
  test('missing or invalid values of an older draft stay empty', () => {
    const { local } = store(
      new Map([['event_draft_6', '{"eventName":"Old","price":5,"picture":{"kind":"stored","ref":{}}}']]),
    );
    expect(findDraft(6, blank, local)).toEqual({ ...blank, eventName: 'Old' });
  });
  test('without storage the draft lives in the tab', () => {
    const refusing = textStore(() => {
      throw new Error('blocked');
    });
    expect(keepDraft(7, values, refusing)).toBe(false);
    expect(findDraft(7, blank, refusing)).toEqual(values);
    expect(() => dropDraft(7, refusing)).not.toThrow();
  });
});
