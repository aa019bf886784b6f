/**
 * The pure rules of the field: they turn the stored state and a command into changes, or a Problem. This file lists all
 * commands; the other files of this folder hold one subject each. The numbers are those of ../README.md. Source:
 * docs/product.md#5.
 */
import { toggledIconType } from '@fieldroom/contract/field';
import { checkClient } from './field.rules.clients.ts';
import type { Actor, Command, FieldState, Making } from './field.rules.commands.ts';
import { figuresOnly, type Decision } from './field.rules.decision.ts';
import {
  changeAllFigures,
  changeFigure,
  checkFigureCount,
  getFigure,
  newFigure,
  withIcon,
} from './field.rules.figures.ts';
import { replaceFigures, saveAll } from './field.rules.lists.ts';
import { nextOrder, reorder } from './field.rules.order.ts';
import { checkRelations } from './field.rules.relations.ts';
import { reset } from './field.rules.reset.ts';
import { giveRole, roleKey, rolesOfFigure, setActiveRole, takeRole } from './field.rules.roles.ts';
import { undoAct } from './field.rules.undo.ts';

/**
 * Decides one command. Takes the stored state, the actor, the command and the numbers to use. Returns what changes; all
 * empty if nothing does. Problems: `not_found`, `forbidden`, `figure_not_yours`, `hands_stopped`, `changed_since`,
 * `field_full`, `role_not_held`, `list_outdated`, `invalid_input`. The volatile lane has checked the holds before.
 */
export function decide(state: FieldState, actor: Actor, command: Command, making: Making): Decision {
  // If the server drops for a client, the drag was already allowed.
  if (actor.as === 'client' && command.kind !== 'drop') checkClient(state, actor.id, command);
  switch (command.kind) {
    case 'add': {
      checkFigureCount(state.figures.size + 1);
      checkRelations(state, null, command.figure.relations);
      return figuresOnly([
        {
          id: making.newIds[0]!,
          before: null,
          after: newFigure(state, command.figure, making.newIds[0]!, nextOrder(state), making.revision),
        },
      ]);
    }
    case 'place':
    case 'drop': {
      const { kind: _, figureId, ...place } = command;
      return changeFigure(state, figureId, place, making);
    }
    case 'edit': {
      const { kind: _, figureId, ...properties } = command;
      checkRelations(state, getFigure(state, figureId), properties.relations);
      return changeFigure(state, figureId, withIcon(state, getFigure(state, figureId), properties), making);
    }
    case 'save': {
      const { id: _, updatedOn: __, ...properties } = command.input;
      checkRelations(state, getFigure(state, command.figureId), properties.relations);
      return changeFigure(
        state,
        command.figureId,
        withIcon(state, getFigure(state, command.figureId), properties),
        making,
      );
    }
    case 'saveAll':
      return saveAll(state, command, making);
    case 'replaceFigures':
      return replaceFigures(state, command.figures, making);
    case 'reorder':
      return reorder(state, command.figureId, command.to, making);
    case 'remove': {
      const before = getFigure(state, command.figureId);
      return {
        figures: [{ id: before.id, before, after: null }],
        hands: null,
        roles: rolesOfFigure(state, before.id)
          .filter((role) => state.present.has(role.clientId))
          .map((role) => ({ ...roleKey(role), to: 'none' })),
      };
    }
    case 'showTexts':
      return changeAllFigures(state, () => ({ showText: command.value }), making);
    case 'toggleText':
      return changeFigure(state, command.figureId, { showText: !getFigure(state, command.figureId).showText }, making);
    case 'toggleIconType':
      return changeFigure(
        state,
        command.figureId,
        { iconType: toggledIconType(getFigure(state, command.figureId).iconType) },
        making,
      );
    case 'reset':
      return reset(state, making);
    case 'hands':
      return {
        figures: [],
        hands: command.allowed === state.handsAllowed ? null : { before: state.handsAllowed, after: command.allowed },
        roles: [],
      };
    case 'giveRole':
      return giveRole(state, command);
    case 'takeRole':
      return takeRole(state, command);
    case 'activeRole':
      return setActiveRole(state, command);
    case 'undo':
      return undoAct(state, command.trace, making);
  }
}
