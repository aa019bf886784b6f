/** Whether the field is still to come: it is not known yet, and the connection that brings it is not lost. */
import { useConnectionState, useRoomPart } from '../store/useRoom.ts';

/** While it is true the room stays hidden behind the waiting room (docs/product.md#11.67). */
export function useFieldComing(): boolean {
  const known = useRoomPart((model) => model.field !== null);
  const connection = useConnectionState();
  return !known && connection !== 'lost';
}
