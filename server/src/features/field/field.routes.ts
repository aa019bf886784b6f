/** The fixed calls about figures and icons (docs/product.md#1.2), each one call of the service. */
import { randomUUID } from 'node:crypto';
import * as calls from '@fieldroom/contract/field';
import { ICON_BYTES_MAX } from '@fieldroom/contract/field';
import type { Account, Http, RoomAccess } from '../../access.ts';
import type { FieldService } from './field.service.ts';
import type { IconsService } from './icons/icons.service.ts';

/** JSON writes some characters as six. */
const ICON_BODY_BYTES = ICON_BYTES_MAX * 6 + 1024;
/** 500 figures with all their properties. */
const LIST_BODY_BYTES = 512 * 1024;

const asTherapist = (account: Account): RoomAccess => ({
  as: 'therapist',
  therapistId: account.id,
  personId: account.id,
});

/** Mounts the calls. The server gives an act over HTTP an id, so it can be undone like any other. */
export function fieldRoutes(http: Http, { service, icons }: { service: FieldService; icons: IconsService }): void {
  http.handle(calls.saveFigure, async ({ access, body }) => {
    if (body.id !== undefined) {
      await service.act(access, randomUUID(), { kind: 'save', figureId: body.id, input: body });
      return service.figure(access.therapistId, body.id);
    }
    const {
      id: _,
      updatedOn: __,
      iconType = 'MALE_FIGURE',
      x = calls.FIELD_WIDTH / 2,
      y = calls.FIELD_HEIGHT / 2,
      ...rest
    } = body;
    const trace = await service.act(access, randomUUID(), {
      kind: 'add',
      figure: { iconType: rest.iconId ? 'CUSTOM' : iconType, x, y, ...rest },
    });
    return trace.figures[0]!.after!;
  });
  http.handle(
    calls.saveAllFigures,
    async ({ access, body, query }) => {
      await service.act(asTherapist(access), randomUUID(), {
        kind: 'saveAll',
        list: body,
        fromReset: query.fromReset ?? false,
        stamp: query.participantsUpdatedOn ?? null,
      });
      return service.figures(access.id);
    },
    { bodyLimit: LIST_BODY_BYTES },
  );
  http.handle(calls.allFigures, ({ access }) => service.figures(access.therapistId));
  http.handle(calls.toggleShowText, async ({ access, body }) => {
    await service.act(access, randomUUID(), { kind: 'toggleText', figureId: body.id });
    return service.figure(access.therapistId, body.id);
  });
  http.handle(calls.toggleIconType, async ({ access, body }) => {
    await service.act(asTherapist(access), randomUUID(), { kind: 'toggleIconType', figureId: body.id });
    return service.figure(access.id, body.id);
  });
  http.handle(calls.setShowText, async ({ access, query }) => {
    await service.act(asTherapist(access), randomUUID(), { kind: 'showTexts', value: query.value });
    return service.figures(access.id);
  });

  http.handle(calls.saveIcon, ({ access, body }) => icons.save(access.id, body), { bodyLimit: ICON_BODY_BYTES });
  http.handle(calls.allIcons, ({ access }) => icons.all(access.therapistId));
  http.handle(calls.deleteIcon, ({ access, params }) => icons.remove(access.id, params.id));
  http.handle(calls.iconImage, ({ access, params }) => icons.image(access.therapistId, params.id));
}
