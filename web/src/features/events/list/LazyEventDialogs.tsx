/** The dialogs of an event for pages that seldom open one: fetched with their words when one is wanted. */
import { createElement, Suspense } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { EventDialogsProps } from './EventDialogs.tsx';

const eventDialogs = lazyPart(() => import('./EventDialogs.tsx').then((module) => module.EventDialogs));

export function LazyEventDialogs(props: EventDialogsProps) {
  const dialogs = useLazyPart(eventDialogs, props.open !== null, props.onClose);
  return dialogs && <Suspense fallback={null}>{createElement(dialogs, props)}</Suspense>;
}
