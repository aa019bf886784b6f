/** The fixed calls about figures and icons, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/field';
import type { Figure } from '@fieldroom/contract/field';
import type { ProblemBody } from '@fieldroom/contract/problems';
import type { AccessValues, Gates, Http, Principal } from '../../access.ts';
import { createHttp } from '../../platform/http/http.ts';
import { aFigure } from '../../builders/field.builders.ts';
import { createCaller, testPlatform, type CallInput, type TestPlatform } from '../../../tests/support/test-app.ts';
import type { Endpoint } from '@fieldroom/contract/http';
import { gates as accountGates } from '../accounts/accounts.gates.ts';
import { aNode, aRoom, type Node, type TestRoom } from './field.fixture.ts';

let platform: TestPlatform;
let node: Node;
let http: Http;
let caller: ReturnType<typeof createCaller>;
let room: TestRoom;
/** The person of each token; other tests cover the sign-ins themselves. */
const people = new Map<string, Principal>();

beforeAll(async () => {
  platform = await testPlatform({ LIMIT_UPLOADS: '1000/3600' });
  node = aNode(platform);
  const gates: Gates = { ...accountGates, ...node.clients.gates, ...node.field.gates };
  http = await createHttp<Principal, AccessValues>({
    config: platform.config,
    log: platform.log,
    metrics: platform.metrics,
    gates,
    identify: async (token) => people.get(token) ?? null,
    maxLagMs: 0,
  });
  node.field.routes(http);
  caller = createCaller((await http.listen()).replace('[::1]', 'localhost'));
}, 60_000);
afterAll(async () => {
  await http?.close();
  await node?.stop();
  await platform?.close();
});
beforeEach(async () => {
  room = await aRoom(platform, node);
  people.clear();
  signIn('anna', room);
  for (const [token, client] of [
    ['ada', room.clients[0]!],
    ['bela', room.clients[1]!],
  ] as const) {
    people.set(token, {
      kind: 'client',
      id: client.personId,
      therapistId: room.therapistId,
      name: client.name,
      state: 'in',
    });
  }
  people.set('waits', { kind: 'client', id: 1, therapistId: room.therapistId, name: 'Cili', state: 'waiting' });
});

function signIn(token: string, { therapistId }: TestRoom): void {
  people.set(token, {
    kind: 'account',
    id: therapistId,
    roles: ['ROLE_THERAPIST'],
    language: 'en',
    tokenHash: Buffer.alloc(32),
  });
}
const api = <E extends Endpoint>(endpoint: E, input: CallInput<E>, token: string) =>
  caller.api(endpoint, input, { token });
async function code(endpoint: Endpoint, input: object, token: string | null): Promise<string> {
  const answer = await caller.call(endpoint, input, { token });
  return answer.ok ? 'done' : ((await answer.json()) as ProblemBody).code;
}
const figureHere = (wish: Partial<Figure> = {}) => aFigure(platform.db, { therapistId: room.therapistId, ...wish });
const all = () => api(calls.allFigures, { params: { therapistId: room.therapistId } }, 'anna');
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

describe('figures', () => {
  test('a therapist adds, changes, toggles and lists', async () => {
    const added = await api(
      calls.saveFigure,
      { body: { name: ' Mother ', iconType: 'FEMALE_FIGURE', x: 10, y: 20, rotation: -90 } },
      'anna',
    );
    expect(added).toMatchObject({
      name: 'Mother',
      x: 10,
      y: 20,
      rotation: 270,
      startX: 10,
      startRotation: 270,
      movableBy: 'holders',
      updatedOn: 1,
    });
    expect(await api(calls.saveFigure, { body: { id: added.id, color: '#000000', startX: 5 } }, 'anna')).toMatchObject({
      color: '#000000',
      x: 10,
      startX: 5,
    });
    expect((await api(calls.toggleIconType, { body: { id: added.id } }, 'anna')).iconType).toBe('FEMALE_CIRCLE');
    expect((await api(calls.toggleShowText, { body: { id: added.id } }, 'anna')).showText).toBe(false);
    expect(await api(calls.setShowText, { query: { value: true } }, 'anna')).toEqual(await all());
    expect((await all())[0]).toMatchObject({ showText: true, updatedOn: 5 });
    expect(await api(calls.saveFigure, { body: {} }, 'anna')).toMatchObject({
      iconType: 'MALE_FIGURE',
      x: 800,
      y: 500,
    });
  });

  test('5.33, 5.34 relations are added and removed with figures, and calls that name none keep them', async () => {
    const [mother, father] = [await figureHere({ movableBy: 'everyone' }), await figureHere()];
    const misses = { to: father.id, kind: 'arrow' as const, color: '#953300', word: 'misses' };
    expect(mother.relations).toEqual([]);
    const save = (body: object, token = 'anna') => api(calls.saveFigure, { body: body as never }, token);
    expect(await save({ id: mother.id, relations: [misses] })).toMatchObject({ relations: [misses] });
    expect(await save({ id: mother.id, name: 'Mother' })).toMatchObject({ name: 'Mother', relations: [misses] });
    const list = await api(
      calls.saveAllFigures,
      { body: (await all()).map((one) => ({ ...one, relations: undefined })), query: { fromReset: true } },
      'anna',
    );
    expect(list[0]).toMatchObject({ relations: [misses] });
    // A client's program sends the whole figure.
    expect(await save({ ...list[0], x: 9 }, 'ada')).toMatchObject({ x: 9, relations: [misses] });
    expect(await code(calls.saveFigure, { body: { id: mother.id, relations: [] } }, 'ada')).toBe('forbidden');
    for (const wrong of [
      [{ ...misses, kind: 'dotted' }],
      [{ ...misses, color: 'red' }],
      [{ ...misses, word: 'a\0b' }],
      [{ ...misses, word: 'a\u202eb' }],
      [{ ...misses, word: 'x'.repeat(31) }],
      [{ ...misses, to: mother.id }],
      [misses, misses],
      Array.from({ length: 13 }, (_, index) => ({ ...misses, to: index + 1 })),
    ])
      expect(await code(calls.saveFigure, { body: { id: mother.id, relations: wrong } }, 'anna')).toBe('invalid_input');
    const unknown = [{ ...misses, to: 999_999_999 }];
    expect(await code(calls.saveFigure, { body: { id: mother.id, relations: unknown } }, 'anna')).toBe('not_found');
    expect((await all())[0]).toMatchObject({ relations: [misses] });
  });

  test('a list is replaced, and an outdated one gets 409', async () => {
    const figure = await figureHere();
    const list = await all();
    await api(calls.saveFigure, { body: { id: figure.id, name: 'B' } }, 'anna');
    const answer = await caller.call(calls.saveAllFigures, { body: list }, { token: 'anna' });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'list_outdated' });
    expect(
      await api(
        calls.saveAllFigures,
        { body: [...(await all()), { iconType: 'BAT' }], query: { participantsUpdatedOn: 1 } },
        'anna',
      ),
    ).toMatchObject([{ name: 'B' }, { iconType: 'BAT' }]);
  });

  test('a full list of 500 fits into one call', async () => {
    await api(
      calls.saveAllFigures,
      {
        body: Array.from({ length: 500 }, (_, i) => ({
          name: `Figure ${i}`.padEnd(60, 'é'),
          iconType: 'STAR' as const,
          x: 1.123456789012,
          y: 999.99999999,
        })),
      },
      'anna',
    );
    const list = await all();
    expect(list).toHaveLength(500);
    expect(
      await api(
        calls.saveAllFigures,
        { body: list.map((figure) => ({ ...figure, showText: false })), query: { fromReset: false } },
        'anna',
      ),
    ).toHaveLength(500);
    expect(await code(calls.saveFigure, { body: { iconType: 'STAR' } }, 'anna')).toBe('field_full');
  });

  test('who may call', async () => {
    const figure = await figureHere();
    const open = await figureHere({ movableBy: 'everyone' });
    const elsewhere = await aRoom(platform, node, ['Dóra']);
    const foreign = await aFigure(platform.db, { therapistId: elsewhere.therapistId, movableBy: 'everyone' });
    await room.act(room.therapist, { kind: 'giveRole', clientId: room.clients[0]!.personId, figureId: figure.id });
    const results: [string, Endpoint, object, Record<string, string>][] = [
      [
        'save own role',
        calls.saveFigure,
        { body: { id: figure.id, x: 3 } },
        { ada: 'done', bela: 'figure_not_yours', waits: 'not_admitted' },
      ],
      [
        'save open',
        calls.saveFigure,
        { body: { id: open.id, x: 3 } },
        { ada: 'done', bela: 'done', waits: 'not_admitted' },
      ],
      ['save name', calls.saveFigure, { body: { id: figure.id, name: 'X' } }, { ada: 'forbidden' }],
      ['add', calls.saveFigure, { body: { x: 3 } }, { ada: 'forbidden' }],
      ['foreign', calls.saveFigure, { body: { id: foreign.id, x: 3 } }, { ada: 'not_found', anna: 'not_found' }],
      [
        'toggle text',
        calls.toggleShowText,
        { body: { id: figure.id } },
        { ada: 'done', bela: 'figure_not_yours', waits: 'not_admitted' },
      ],
      ['toggle foreign', calls.toggleShowText, { body: { id: foreign.id } }, { ada: 'not_found', anna: 'not_found' }],
      ['toggle kind', calls.toggleIconType, { body: { id: figure.id } }, { ada: 'forbidden', waits: 'forbidden' }],
      ['texts', calls.setShowText, { query: { value: true } }, { ada: 'forbidden' }],
      ['list', calls.saveAllFigures, { body: [] }, { ada: 'forbidden' }],
      [
        'all',
        calls.allFigures,
        { params: { therapistId: room.therapistId } },
        { anna: 'done', ada: 'done', waits: 'not_admitted' },
      ],
    ];
    for (const [name, endpoint, input, expected] of results) {
      expect(await code(endpoint, input, null), name).toBe('not_signed_in');
      for (const [token, result] of Object.entries(expected))
        expect(await code(endpoint, input, token), `${name} ${token}`).toBe(result);
    }
    for (const token of ['anna', 'ada'])
      expect(await code(calls.allFigures, { params: { therapistId: elsewhere.therapistId } }, token)).not.toBe('done');
    expect((await elsewhere.copy()).revision).toBe(0);
  });

  test('unknown properties, wrong types and invalid numbers are refused with their field, and change nothing', async () => {
    const figure = await figureHere();
    const faults = async (endpoint: Endpoint, input: object) =>
      ((await (await caller.call(endpoint, input, { token: 'anna' })).json()) as ProblemBody).fields?.map(
        (fault) => fault.path,
      );
    expect(await faults(calls.saveFigure, { body: { id: figure.id, x: 1601 } })).toEqual(['x']);
    expect(await faults(calls.saveFigure, { body: { id: figure.id, x: null } })).toEqual(['x']);
    expect(await faults(calls.saveFigure, { body: { id: figure.id, therapistId: 1 } })).toEqual(['therapistId']);
    expect(await faults(calls.saveFigure, { body: { id: figure.id, name: 'a\u202Eb' } })).toEqual(['name']);
    expect(await faults(calls.saveAllFigures, { body: [{ scale: 0 }] })).toEqual(['0.scale']);
    expect(await faults(calls.saveFigure, { body: { id: figure.id, iconType: 'CUSTOM' } })).toEqual(['iconId']);
    expect((await room.copy()).revision).toBe(0);
  });
});

describe('icons', () => {
  test('36 are stored, listed, served with their own headers, and used by figures', async () => {
    const icon = await api(calls.saveIcon, { body: { name: 'Tree', image: DRAWING } }, 'anna');
    expect(icon).toMatchObject({ name: 'Tree', width: 30, height: 30 });
    expect(node.sent.at(-1)).toMatchObject({
      to: `/sb/user/only/${room.therapistId}`,
      change: { eventType: 'REFRESH_ADMIN', contents: { what: 'icons' } },
    });
    expect(await api(calls.allIcons, { params: { therapistId: room.therapistId } }, 'ada')).toEqual([icon]);
    const answer = await caller.call(
      calls.iconImage,
      { params: { therapistId: room.therapistId, id: icon.id } },
      { token: 'ada' },
    );
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(answer.headers.get('cache-control')).toMatch(/^private/);
    expect(await answer.text()).toContain('M0 0h1v1z');
    expect(await code(calls.iconImage, { params: { therapistId: room.therapistId, id: icon.id } }, null)).toBe(
      'not_signed_in',
    );

    const worn = await api(calls.saveFigure, { body: { iconId: icon.id } }, 'anna');
    expect(worn).toMatchObject({ iconType: 'CUSTOM', iconId: icon.id });
    expect(await code(calls.deleteIcon, { params: { id: icon.id } }, 'anna')).toBe('icon_in_use');
    expect(await api(calls.saveFigure, { body: { id: worn.id, iconType: 'STAR' } }, 'anna')).toMatchObject({
      iconType: 'STAR',
      iconId: null,
    });
    expect(await code(calls.deleteIcon, { params: { id: icon.id } }, 'anna')).toBe('done');
    expect(await code(calls.iconImage, { params: { therapistId: room.therapistId, id: icon.id } }, 'anna')).toBe(
      'not_found',
    );
  });

  test('36 belong to one therapist: others see and delete none, clients store none', async () => {
    const icon = await api(calls.saveIcon, { body: { image: DRAWING } }, 'anna');
    const elsewhere = await aRoom(platform, node, []);
    signIn('eva', elsewhere);
    expect(await code(calls.deleteIcon, { params: { id: icon.id } }, 'eva')).toBe('not_found');
    expect(await code(calls.iconImage, { params: { therapistId: elsewhere.therapistId, id: icon.id } }, 'eva')).toBe(
      'not_found',
    );
    expect(await code(calls.iconImage, { params: { therapistId: room.therapistId, id: icon.id } }, 'eva')).not.toBe(
      'done',
    );
    expect(await code(calls.saveFigure, { body: { iconId: icon.id } }, 'eva')).toBe('not_found');
    expect(await code(calls.saveIcon, { body: { image: DRAWING } }, 'ada')).toBe('forbidden');
    expect(await code(calls.deleteIcon, { params: { id: icon.id } }, 'ada')).toBe('forbidden');
    expect(await api(calls.allIcons, { params: { therapistId: room.therapistId } }, 'anna')).toHaveLength(1);
  });

  test('31 unsafe and unreadable ones are refused and nothing is stored', async () => {
    expect(
      await code(calls.saveIcon, { body: { image: DRAWING.replace('<path', '<script>1</script><path') } }, 'anna'),
    ).toBe('icon_unsafe');
    expect(await code(calls.saveIcon, { body: { image: 'no drawing' } }, 'anna')).toBe('icon_unreadable');
    expect(await code(calls.saveIcon, { body: { image: 'x'.repeat(calls.ICON_BYTES_MAX + 1) } }, 'anna')).toBe(
      'invalid_input',
    );
    expect(await api(calls.allIcons, { params: { therapistId: room.therapistId } }, 'anna')).toEqual([]);
  });

  test('10 undoing a removal whose icon is missing reports it', async () => {
    const icon = await api(calls.saveIcon, { body: { image: DRAWING } }, 'anna');
    const figure = await api(calls.saveFigure, { body: { iconId: icon.id } }, 'anna');
    const removed = await room.act(room.therapist, { kind: 'remove', figureId: figure.id });
    await api(calls.deleteIcon, { params: { id: icon.id } }, 'anna');
    expect(await room.tried(room.therapist, { kind: 'undo', actId: removed })).toBe('changed_since');
  });
});
