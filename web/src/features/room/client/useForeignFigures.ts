/** Explains whose a figure is when a client presses or drags one that they may not move (docs/product.md#11.7). */
import { type Figure, mayMove, type Mover } from '@fieldroom/contract/field';
import { type PointerEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Told } from '../notices/Toast.tsx';
import { useRoomStore } from '../store/useRoom.ts';

/** A finger that moves this far (px) drags. */
const DRAG_PX = 8;

interface Options {
  mover: Mover;
  /** Nobody may move anything; a bar explains why. */
  still: boolean;
  therapistName: string;
  tell(told: Told): void;
}

/** Returns a handler for selections, and handlers for the element around the field. */
export function useForeignFigures(options: Options) {
  const { t } = useTranslation('room');
  const store = useRoomStore();
  const latest = useRef({ ...options, t });
  latest.current = { ...options, t };
  return useMemo(() => {
    let press: { pointer: number; figure: number; x: number; y: number } | null = null;
    const say = (id: number) => {
      const { mover, still, therapistName, tell, t: words } = latest.current;
      const { field, people } = store.get();
      const figure = field?.figures.find((candidate) => candidate.id === id);
      if (!field || !figure || still || mayMove(mover, figure, field.handsAllowed)) return;
      tell({ text: whose(figure) });

      function whose({ movableBy }: Figure): string {
        const own = mover.as === 'client' && mover.roles.includes(id);
        if (!field?.handsAllowed) return words('client.handsStopped', { name: therapistName });
        const names = people.filter(({ roles }) => roles.includes(id)).map(({ name }) => name);
        if (own || movableBy === 'therapist' || names.length === 0)
          return words('client.onlyTherapist', { name: therapistName });
        return words('client.belongsTo', { name: names.join(', ') });
      }
    };
    return {
      onSelect(id: number | null) {
        if (id !== null) say(id);
      },
      handlers: {
        onPointerDownCapture(event: PointerEvent<HTMLElement>) {
          const figure = (event.target as Element).closest<SVGElement>('[data-figure]')?.dataset['figure'];
          // A second finger zooms.
          press =
            figure === undefined || press !== null
              ? null
              : { pointer: event.pointerId, figure: Number(figure), x: event.clientX, y: event.clientY };
        },
        onPointerMoveCapture(event: PointerEvent<HTMLElement>) {
          if (press?.pointer !== event.pointerId) return;
          if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
          say(press.figure);
          press = null;
        },
        onPointerUpCapture() {
          press = null;
        },
        onPointerCancelCapture() {
          press = null;
        },
      },
    };
  }, [store]);
}
