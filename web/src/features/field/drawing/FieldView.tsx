import { useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, PointerEvent as ReactPointerEvent } from 'react'
import { BeamGradient, boundingRadius, ringRadius } from '../../../ui/figures/index.ts'
import { FigureBeam, FigureBody, FigureName, FocusRing, HeldRing, HeldShadow, NamedPointer, SelectionRing } from './FieldParts.tsx'
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  UNITS_PER_BOX,
  allowedPlace,
  clamp,
  directionOf,
  fitField,
  fitFigures,
  fitOwn,
  nearest,
  pinchCamera,
  round1,
  samePlace,
  screenRadius,
  shortestTurn,
  showPoint,
  toField,
  toScreen,
  zoomAt,
} from './geometry.ts'
import type { Camera, Place, Point, Size } from './geometry.ts'
import { IDLE, hand as handStep } from './gesture.ts'
import type { Deed, Hand, HandEvent, Hit } from './gesture.ts'
import { createStage } from './stage.ts'
import { createThrottle } from './throttle.ts'
import type { CameraView, FieldViewHandle, FieldViewProps, FigureOnField, KeyAct } from './FieldView.types.ts'
import './field.css'

const SEND_MS = 34
const RINGS = [1, 2, 3, 4, 5, 6].map((n) => Math.round(150 * ringRadius(n)))
/** A finger this near (px) to a figure means it. */
const FINGER_REACH = 18

const isText = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])') !== null

const idIn = (target: EventTarget | null, attribute: 'figure' | 'turn'): number | null => {
  if (!(target instanceof Element)) return null
  const value = target.closest<SVGElement>(`[data-${attribute}]`)?.dataset[attribute]
  return value === undefined ? null : Number(value)
}

const radiusOf = (figure: FigureOnField) => boundingRadius(figure.iconType, figure.iconWidth, figure.iconHeight)

/**
 * The field: figures on the lit ground, moved by mouse, finger, pen and keys. It fills its parent.
 * Moves of any hand go past React (see stage.ts); React renders when figures come, go, change their looks or are taken.
 * Colours come from the CSS variables --fr-field, -text, -bg, -surface, -focus, -accent and -on-accent.
 */
export function FieldView(props: FieldViewProps) {
  const { figures, selectedId, scheme, showBeams, showNames, reducedMotion, readOnly = false, texts, pointing = false } = props
  const uid = useId()
  const root = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const size = useRef<Size>({ width: 1, height: 1 })
  const view = useRef<CameraView['view']>(props.startView ?? 'field')
  const shown = useRef<CameraView | null>(null)
  const hand = useRef<Hand>(IDLE)
  const grip = useRef<{ id: number; dx: number; dy: number; start: Place; place: Place } | null>(null)
  /** Size and turn of a two-finger stretch before rounding. */
  const stretched = useRef<{ scale: number; rotation: number } | null>(null)
  const spaceDown = useRef(false)
  const spacePanned = useRef(false)
  const pansNow = useRef(false)
  const hovered = useRef(false)
  const lastPointer = useRef<string>('mouse')
  const focused = useRef<number | null>(null)

  const [ownHold, setOwnHold] = useState<number | null>(null)
  const [panning, setPanning] = useState(false)
  const [live, setLive] = useState<ReadonlyMap<number, string>>(new Map())
  const [people, setPeople] = useState<ReadonlyMap<number, string>>(new Map())
  const [keyFocus, setKeyFocus] = useState<number | null>(null)

  const [stage] = useState(() =>
    createStage({
      onCamera(camera) {
        const zoom = Math.round((camera.k / fitField(size.current).k) * 1000) / 1000
        if (shown.current?.zoom === zoom && shown.current.view === view.current) return
        shown.current = { zoom, view: view.current }
        latest.current.onCameraChange?.(shown.current)
      },
    }),
  )
  const [sendDrag] = useState(() =>
    createThrottle<{ kind: 'drag' | 'turn' | 'stretch'; id: number; place: Place }>(SEND_MS, ({ kind, id, place }) => {
      if (kind === 'drag') latest.current.onDragMove?.(id, { x: place.x, y: place.y })
      else if (kind === 'turn') latest.current.onTurnMove?.(id, place.rotation)
      else latest.current.onScaleMove?.(id, place)
    }),
  )
  const [sendPoint] = useState(() => createThrottle<Point>(SEND_MS, (at) => latest.current.onPointerMove?.(at)))

  const sorted = useMemo(() => [...figures].sort((a, b) => a.order - b.order || a.id - b.id), [figures])
  const colors = useMemo(() => [...new Set(figures.map((figure) => figure.color))], [figures])
  const lightOf = (color: string) => `${uid}beam${color.replace(/[^0-9a-z]/gi, '')}`

  const figureOf = (id: number) => latest.current.figures.find((figure) => figure.id === id)
  const movable = (figure: FigureOnField | undefined) => figure !== undefined && figure.movable && !latest.current.readOnly
  const holderOf = (figure: FigureOnField) => live.get(figure.id) ?? figure.heldBy ?? null

  useLayoutEffect(() => {
    latest.current = props
  })

  useLayoutEffect(() => {
    stage.setStill(reducedMotion)
  }, [stage, reducedMotion])

  useLayoutEffect(() => {
    stage.setFigures(
      sorted.map((figure) => ({
        id: figure.id,
        x: figure.x,
        y: figure.y,
        rotation: figure.rotation,
        scale: figure.scale,
        radius: radiusOf(figure),
        lifted: ownHold === figure.id || live.has(figure.id) || Boolean(figure.heldBy),
      })),
    )
    // A lifted figure changes its layer, its element is a new one: React reports no blur then, so the focus is still meant for it.
    if (focused.current !== null && document.activeElement === document.body) elementOf(focused.current)?.focus({ preventScroll: true })
  }, [stage, sorted, ownHold, live])

  // The right to move was taken away, or the figure is gone, in the middle of a hold.
  useLayoutEffect(() => {
    if (ownHold === null || (!readOnly && figures.some((figure) => figure.id === ownHold && figure.movable))) return
    act({ type: 'taken', figureId: ownHold })
  })

  function elementOf(id: number): SVGGElement | null {
    return root.current?.querySelector<SVGGElement>(`[data-figure="${id}"]`) ?? null
  }

  function look(camera: Camera, next: CameraView['view'], glide = false) {
    view.current = next
    stage.look(camera, size.current, glide)
  }

  function cameraFor(next: 'field' | 'figures' | 'own'): Camera {
    const { figures: all } = latest.current
    if (next === 'field') return fitField(size.current)
    if (next === 'own') {
      const own = all.find((figure) => figure.own)
      return fitOwn(size.current, own ? (stage.placeOf(own.id) ?? own) : null)
    }
    return fitFigures(
      size.current,
      all.map((figure) => ({
        ...(stage.placeOf(figure.id) ?? figure),
        radius: radiusOf(figure) * UNITS_PER_BOX * figure.scale,
      })),
    )
  }

  function fit(next: 'field' | 'figures' | 'own', glide: boolean) {
    look(cameraFor(next), next, glide)
  }

  const fitRef = useRef(fit)
  useLayoutEffect(() => {
    fitRef.current = fit
  })

  useLayoutEffect(() => {
    const element = root.current
    if (!element) return undefined
    const measure = (first: boolean) => {
      const next = { width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) }
      const before = size.current
      if (!first && before.width === next.width && before.height === next.height) return
      const middle = toField(stage.camera(), { x: before.width / 2, y: before.height / 2 })
      size.current = next
      if (view.current !== 'free') fitRef.current(view.current, false)
      else {
        const { k } = stage.camera()
        stage.look({ k, tx: next.width / 2 - k * middle.x, ty: next.height / 2 - k * middle.y }, next)
      }
    }
    measure(true)
    const observer = new ResizeObserver(() => measure(false))
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])

  useEffect(
    () => () => {
      stage.stop()
      sendDrag.drop()
      sendPoint.drop()
    },
    [stage, sendDrag, sendPoint],
  )

  // The figures of a first answer may come after the first measure: a view of the figures waits for them.
  const empty = figures.length === 0
  const ownId = figures.find((figure) => figure.own)?.id
  const firstLook = useRef(true)
  useLayoutEffect(() => {
    if (empty || view.current === 'free' || view.current === 'field') return
    fitRef.current(view.current, !firstLook.current)
    firstLook.current = false
  }, [empty, ownId])

  const local = (clientX: number, clientY: number): Point => {
    const box = root.current?.getBoundingClientRect()
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) }
  }

  function hitAt(target: EventTarget | null, at: Point, pointer: string): Hit {
    const turn = idIn(target, 'turn')
    if (turn !== null) return { on: 'turn', figureId: turn }
    let id = idIn(target, 'figure')
    if (id === null && pointer === 'touch') {
      const camera = stage.camera()
      const circles = latest.current.figures.flatMap((figure) => {
        const place = stage.drawnAt(figure.id)
        if (!place) return []
        return [{ id: figure.id, ...toScreen(camera, place), radius: screenRadius(radiusOf(figure), place.scale, camera.k) * 0.8 }]
      })
      id = nearest(circles, at, FINGER_REACH)?.id ?? null
    }
    if (id === null) return { on: 'ground' }
    return { on: 'figure', figureId: id, movable: movable(figureOf(id)), selected: latest.current.selectedId === id }
  }

  function take(id: number, at: Point | null) {
    const start = stage.take(id)
    if (!start) return
    const from = at ? toField(stage.camera(), at) : start
    grip.current = { id, dx: start.x - from.x, dy: start.y - from.y, start, place: allowedPlace(start) }
    setOwnHold(id)
    setLive((before) => {
      if (!before.has(id)) return before
      const next = new Map(before)
      next.delete(id)
      return next
    })
    latest.current.onGrab?.(id)
  }

  function carry(kind: 'drag' | 'turn' | 'stretch', id: number, place: Place) {
    const held = grip.current
    if (!held || held.id !== id) return
    held.place = allowedPlace(place)
    stage.put(id, held.place)
    sendDrag.push({ kind, id, place: held.place })
  }

  function drop(id: number, how: 'released' | 'interrupted' | 'givenUp', report: FieldViewProps['onDrop']) {
    sendDrag.drop()
    const held = grip.current
    grip.current = null
    setOwnHold(null)
    if (!held || held.id !== id) return
    const place = how === 'givenUp' ? allowedPlace(held.start) : held.place
    stage.letGo(id, place)
    if (figureOf(id)) report?.(id, place, { interrupted: how === 'interrupted' })
  }

  function perform(deed: Deed) {
    const { current } = latest
    switch (deed.do) {
      case 'tapFigure':
        current.onSelect(deed.figureId)
        break
      case 'tapGround':
        current.onBackgroundTap?.()
        break
      case 'fit':
        fit('field', true)
        break
      case 'grab':
        take(deed.figureId, deed.at)
        break
      case 'drag': {
        const held = grip.current
        if (!held) break
        const at = toField(stage.camera(), deed.at)
        carry('drag', deed.figureId, { ...held.place, x: at.x + held.dx, y: at.y + held.dy })
        break
      }
      case 'drop':
        drop(deed.figureId, deed.how, current.onDrop)
        break
      case 'turnStart':
      case 'stretchStart':
        take(deed.figureId, null)
        break
      case 'turn': {
        const held = grip.current
        if (!held) break
        const middle = toScreen(stage.camera(), held.place)
        const rotation = directionOf(deed.at.x - middle.x, deed.at.y - middle.y)
        carry('turn', deed.figureId, { ...held.place, rotation: Math.round(rotation) })
        break
      }
      case 'turnDrop':
        drop(deed.figureId, deed.how, current.onTurnDrop)
        break
      case 'stretch': {
        const held = grip.current
        if (!held) break
        const [a, b] = deed.from
        const [c, d] = deed.to
        const apart = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y))
        const turned = shortestTurn(directionOf(b.x - a.x, b.y - a.y), directionOf(d.x - c.x, d.y - c.y))
        // Unrounded sums: many small steps must not get lost in rounding one by one.
        const next = {
          ...held.place,
          ...stretched.current,
        }
        next.scale = clamp(next.scale * (Math.hypot(d.x - c.x, d.y - c.y) / apart), 0.25, 4)
        next.rotation += turned
        stretched.current = { scale: next.scale, rotation: next.rotation }
        carry('stretch', deed.figureId, next)
        break
      }
      case 'stretchDrop':
        stretched.current = null
        drop(deed.figureId, deed.how, current.onScaleDrop)
        break
      case 'pan': {
        const camera = stage.camera()
        spacePanned.current = true
        look({ ...camera, tx: camera.tx + deed.dx, ty: camera.ty + deed.dy }, 'free')
        break
      }
      case 'pinch':
        look(pinchCamera(stage.camera(), size.current, deed.from, deed.to), 'free')
        break
      case 'pointEnd':
        sendPoint.drop()
        current.onPointerMove?.(null)
        break
    }
  }

  function act(event: HandEvent) {
    const [next, deeds] = handStep(hand.current, event)
    hand.current = next
    for (const deed of deeds) perform(deed)
    const pans = next.state.in === 'pan' || next.state.in === 'pinch'
    if (pans !== pansNow.current) {
      pansNow.current = pans
      setPanning(pans)
    }
  }

  function onPointerDown(event: ReactPointerEvent<HTMLDivElement>) {
    lastPointer.current = event.pointerType
    if (event.button !== 0 && event.button !== 1) return
    const at = local(event.clientX, event.clientY)
    const pointer = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse'
    const hit = hitAt(event.target, at, pointer)
    // The middle button must pan instead of starting the browser's own scrolling.
    if (event.button === 1) event.preventDefault()
    root.current?.setPointerCapture(event.pointerId)
    act({
      type: 'down',
      id: event.pointerId,
      pointer,
      at,
      time: event.timeStamp,
      hit,
      panning: spaceDown.current || event.button === 1,
      pointing: pointing && pointer === 'touch',
    })
  }

  function onPointerMove(event: ReactPointerEvent<HTMLDivElement>) {
    const { state } = hand.current
    if (state.in === 'idle' && !pointing) return
    const at = local(event.clientX, event.clientY)
    if (state.in !== 'idle') act({ type: 'move', id: event.pointerId, at })
    if (pointing && (state.in !== 'pinch' && state.in !== 'stretch')) {
      const point = toField(stage.camera(), at)
      sendPoint.push({ x: round1(clamp(point.x, 0, FIELD_WIDTH)), y: round1(clamp(point.y, 0, FIELD_HEIGHT)) })
    }
  }

  function onPointerEnd(event: ReactPointerEvent<HTMLDivElement>) {
    act({ type: 'up', id: event.pointerId, at: local(event.clientX, event.clientY), time: event.timeStamp })
  }

  function onPointerLost(event: ReactPointerEvent<HTMLDivElement>) {
    act({ type: 'cancel', id: event.pointerId })
  }

  // React listens to wheels passively, and a passive listener can't keep the page from scrolling.
  const scaling = useRef<{ id: number; place: Place; timer: ReturnType<typeof setTimeout> } | null>(null)
  function onWheel(event: WheelEvent) {
    event.preventDefault()
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? size.current.height : 1
    const { current } = latest
    if (event.altKey && current.selectedId !== null && movable(figureOf(current.selectedId))) {
      const id = current.selectedId
      const base = scaling.current?.id === id ? scaling.current.place : stage.placeOf(id)
      if (!base) return
      clearTimeout(scaling.current?.timer)
      const place = allowedPlace({ ...base, scale: base.scale * Math.exp(-event.deltaY * unit * 0.0015) })
      stage.step(id, place)
      // Stored once the wheel rests, not at each of its clicks.
      const timer = setTimeout(() => {
        scaling.current = null
        latest.current.onScaleDrop?.(id, place, { interrupted: false })
      }, 250)
      scaling.current = { id, place, timer }
      return
    }
    const camera = stage.camera()
    // A mouse's wheel comes in large whole steps and zooms; a trackpad's fine steps pan, its pinch comes with ctrl.
    const wheelOfMouse = event.deltaX === 0 && Math.abs(event.deltaY * unit) >= 100 && Number.isInteger(event.deltaY)
    if (event.ctrlKey || event.metaKey || wheelOfMouse) {
      const strength = event.ctrlKey && !wheelOfMouse ? 0.01 : 0.0016
      const factor = Math.exp(-clamp(event.deltaY * unit, -240, 240) * strength)
      look(zoomAt(camera, size.current, local(event.clientX, event.clientY), factor), 'free')
    } else {
      const sideways = event.shiftKey && event.deltaX === 0
      const dx = (sideways ? event.deltaY : event.deltaX) * unit
      const dy = (sideways ? 0 : event.deltaY) * unit
      look({ ...camera, tx: camera.tx - dx, ty: camera.ty - dy }, 'free')
    }
  }
  const wheelRef = useRef(onWheel)
  const actRef = useRef(act)
  useLayoutEffect(() => {
    wheelRef.current = onWheel
    actRef.current = act
  })
  useEffect(() => {
    const element = root.current
    if (!element) return undefined
    const wheel = (event: WheelEvent) => wheelRef.current(event)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      element.removeEventListener('wheel', wheel)
      clearTimeout(scaling.current?.timer)
    }
  }, [])

  // Keys that count wherever the focus is, as long as the mouse is over the field or the focus in it.
  useEffect(() => {
    const near = () => hovered.current || root.current?.contains(document.activeElement) === true
    const down = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && hand.current.state.in !== 'idle') actRef.current({ type: 'giveUp' })
      if (event.defaultPrevented || !near() || isText(event.target)) return
      if (event.key === ' ' && !spaceDown.current) {
        spaceDown.current = true
        spacePanned.current = false
      }
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (event.key.toLowerCase() === 'm' && plain && !event.repeat) {
        event.preventDefault()
        latest.current.onPointingChange?.(!latest.current.pointing)
      }
    }
    const up = (event: globalThis.KeyboardEvent) => {
      if (event.key === ' ') spaceDown.current = false
    }
    const blur = () => {
      spaceDown.current = false
    }
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', up)
    window.addEventListener('blur', blur)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', up)
      window.removeEventListener('blur', blur)
    }
  }, [])

  // Whoever stops pointing, by key or by button, takes the pointer from the others' screens.
  useEffect(() => {
    if (!pointing) return undefined
    return () => {
      sendPoint.drop()
      latest.current.onPointerMove?.(null)
    }
  }, [pointing, sendPoint])

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (isText(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    const id = idIn(event.target, 'figure')
    // On the ground the space bar pans and must not scroll the page.
    if (event.key === ' ') event.preventDefault()
    if (id === null) return
    const figure = figureOf(id)
    const place = stage.placeOf(id)
    if (!figure || !place) return
    const report = latest.current.onKeyAct
    if (event.key === 'Enter') {
      event.preventDefault()
      latest.current.onSelect(id)
      report?.(id, 'open', place)
      return
    }
    if (event.key === 'Escape') {
      // In mid-hold it gives the hold up (see the document's listener), nothing else.
      if (hand.current.state.in !== 'idle') return
      if (latest.current.selectedId !== null) latest.current.onSelect(null)
      return
    }
    if (event.key === 'Delete') {
      event.preventDefault()
      if (!latest.current.readOnly) report?.(id, 'remove', place)
      return
    }
    if (!movable(figure) || grip.current?.id === id) return
    const far = event.shiftKey ? 50 : 10
    // The keys left and right of the brackets differ between layouts: the physical key counts too.
    const bracket = event.key === '[' || event.code === 'BracketLeft' ? -1 : event.key === ']' || event.code === 'BracketRight' ? 1 : 0
    const next: Place = { ...place }
    let kind: KeyAct = 'move'
    if (event.key === 'ArrowLeft') next.x -= far
    else if (event.key === 'ArrowRight') next.x += far
    else if (event.key === 'ArrowUp') next.y -= far
    else if (event.key === 'ArrowDown') next.y += far
    else if (bracket !== 0) {
      kind = 'turn'
      next.rotation += bracket * (event.shiftKey ? 45 : 15)
    } else if (event.key === '+' || event.key === '=' || event.key === '-' || event.key === '_') {
      kind = 'scale'
      // Whole tenths, so that ten steps up and ten down end where they began.
      next.scale = Math.round((next.scale + (event.key === '+' || event.key === '=' ? 0.1 : -0.1)) * 100) / 100
    } else return
    event.preventDefault()
    const allowed = allowedPlace(next)
    if (samePlace(allowed, place)) return
    stage.step(id, allowed)
    report?.(id, kind, allowed)
    bringIntoView(id, allowed)
  }

  function onKeyUp(event: KeyboardEvent<HTMLDivElement>) {
    const id = idIn(event.target, 'figure')
    if (event.key === ' ' && id !== null && !spacePanned.current) latest.current.onSelect(id)
  }

  function bringIntoView(id: number, place: Place) {
    const figure = figureOf(id)
    if (!figure) return
    const camera = stage.camera()
    const next = showPoint(camera, size.current, place, Math.min(screenRadius(radiusOf(figure), place.scale, camera.k), 80))
    if (Math.abs(next.tx - camera.tx) > 0.5 || Math.abs(next.ty - camera.ty) > 0.5) look(next, 'free', true)
  }

  const cameraRef = useRef({ look, local, bringIntoView, elementOf })
  useLayoutEffect(() => {
    cameraRef.current = { look, local, bringIntoView, elementOf }
  })

  useImperativeHandle(
    props.ref,
    (): FieldViewHandle => ({
      moveLive(figureId, place, byName) {
        if (!stage.live(figureId, place)) return
        const name = byName ?? ''
        setLive((before) => {
          if (before.has(figureId) && (byName === undefined || before.get(figureId) === name)) return before
          return new Map(before).set(figureId, name)
        })
      },
      releaseLive(figureId) {
        stage.liveEnd(figureId)
        setLive((before) => {
          if (!before.has(figureId)) return before
          const next = new Map(before)
          next.delete(figureId)
          return next
        })
      },
      letGo(figureId) {
        if (grip.current?.id !== figureId) return
        grip.current = null
        stretched.current = null
        sendDrag.drop()
        stage.settle(figureId)
        setOwnHold(null)
        actRef.current({ type: 'taken', figureId })
      },
      settle(figureId) {
        if (grip.current?.id !== figureId) stage.settle(figureId)
      },
      setPointer(personId, name, at) {
        if (at) stage.point(personId, at)
        else stage.pointEnd(personId)
        setPeople((before) => {
          if (at ? before.get(personId) === name : !before.has(personId)) return before
          const next = new Map(before)
          if (at) next.set(personId, name)
          else next.delete(personId)
          return next
        })
      },
      zoomIn: () => cameraRef.current.look(zoomAt(stage.camera(), size.current, middleOf(size.current), 1.25), 'free', true),
      zoomOut: () => cameraRef.current.look(zoomAt(stage.camera(), size.current, middleOf(size.current), 0.8), 'free', true),
      fit: () => fitRef.current('field', true),
      fitFigures: () => fitRef.current('figures', true),
      fitOwn: () => fitRef.current('own', true),
      screenToField: (clientX, clientY) => toField(stage.camera(), cameraRef.current.local(clientX, clientY)),
      focusFigure(figureId) {
        const place = stage.placeOf(figureId)
        if (!place) return
        cameraRef.current.bringIntoView(figureId, place)
        cameraRef.current.elementOf(figureId)?.focus({ preventScroll: true })
      },
    }),
    [stage, sendDrag],
  )

  const attachWorld = useCallback((element: SVGGElement | null) => stage.attachWorld(element), [stage])
  const attachNames = useCallback((element: SVGGElement | null) => stage.attachNames(element), [stage])

  const selected = selectedId === null ? undefined : figures.find((figure) => figure.id === selectedId)
  const held = sorted.filter((figure) => figure.id !== ownHold && holderOf(figure) !== null)
  const isLifted = (figure: FigureOnField) => figure.id === ownHold || holderOf(figure) !== null
  const lifted = sorted.filter(isLifted)
  const standing = lifted.length === 0 ? sorted : sorted.filter((figure) => !isLifted(figure))

  const beamsOf = (some: readonly FigureOnField[]) =>
    showBeams && some.map((figure) => <FigureBeam key={figure.id} stage={stage} id={figure.id} light={lightOf(figure.color)} />)

  const namesOf = (some: readonly FigureOnField[]) =>
    showNames &&
    some.map((figure) =>
      figure.showText && figure.caption.trim() !== '' ? (
        <FigureName key={figure.id} stage={stage} id={figure.id} caption={figure.caption} own={figure.own === true} />
      ) : null,
    )

  const bodiesOf = (some: readonly FigureOnField[], up: boolean) =>
    some.map((figure) => (
      <FigureBody
        key={figure.id}
        stage={stage}
        id={figure.id}
        kind={figure.iconType}
        color={figure.color}
        scheme={scheme}
        iconUrl={figure.iconUrl}
        iconWidth={figure.iconWidth}
        iconHeight={figure.iconHeight}
        label={figure.label}
        selected={figure.id === selectedId}
        movable={figure.movable && !readOnly}
        lifted={up}
        describedBy={`${uid}help`}
      />
    ))

  const ground: CSSProperties = {}
  if (props.groundColor) ground.background = props.groundColor

  return (
    <div
      ref={root}
      className={props.className ? `fr-field-view ${props.className}` : 'fr-field-view'}
      style={ground}
      role="group"
      aria-label={texts.field}
      data-scheme={scheme}
      data-panning={panning || undefined}
      data-holding={ownHold !== null || undefined}
      data-pointing={pointing || undefined}
      data-still={reducedMotion || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerLost}
      onLostPointerCapture={onPointerLost}
      onPointerEnter={() => {
        hovered.current = true
      }}
      onPointerLeave={() => {
        hovered.current = false
        if (pointing) {
          sendPoint.drop()
          props.onPointerMove?.(null)
        }
      }}
      onKeyDown={onKeyDown}
      onKeyUp={onKeyUp}
      onContextMenu={(event) => {
        // A long press of a finger is the start of a drag here.
        if (lastPointer.current !== 'mouse') event.preventDefault()
      }}
      onFocus={(event) => {
        const id = idIn(event.target, 'figure')
        focused.current = id
        const visible = id !== null && event.target.matches(':focus-visible')
        setKeyFocus(visible ? id : null)
        const place = id === null ? null : stage.placeOf(id)
        if (visible && id !== null && place) bringIntoView(id, place)
      }}
      onBlur={() => {
        focused.current = null
        setKeyFocus(null)
      }}
    >
      {props.groundUrl ? <img className="fr-ground-picture" src={props.groundUrl} alt="" draggable={false} /> : null}
      {/*
        Four layers, each an SVG of its own, so that the browser keeps the paint of all that stands while a hand moves:
        1 ground and light, 2 light, shadow and name of what is held, 3 all that stands, 4 what is held and the marks around it.
        Names lie below all figures of their layer, so that none is ever written across an icon.
      */}
      <svg width="100%" height="100%" aria-hidden className="fr-quiet">
        <defs>
          {colors.map((color) => (
            <BeamGradient key={color} id={lightOf(color)} tone={color} scheme={scheme} />
          ))}
          <radialGradient id={`${uid}shadow`}>
            <stop offset={0.45} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.6 : 0.3} />
            <stop offset={0.75} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.3 : 0.14} />
            <stop offset={1} stopColor="#000" stopOpacity={0} />
          </radialGradient>
        </defs>
        <g ref={attachWorld}>
          <g className="fr-rings">
            {RINGS.map((r) => (
              <circle key={r} cx={FIELD_WIDTH / 2} cy={FIELD_HEIGHT / 2} r={r} />
            ))}
          </g>
          {beamsOf(standing)}
        </g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className="fr-quiet">
        <g ref={attachWorld}>{beamsOf(lifted)}</g>
        {lifted.map((figure) => (
          <HeldShadow key={figure.id} stage={stage} id={figure.id} light={`${uid}shadow`} />
        ))}
        <g ref={attachNames}>{namesOf(lifted)}</g>
      </svg>
      <svg width="100%" height="100%">
        <g ref={attachNames} className="fr-quiet" aria-hidden>
          {namesOf(standing)}
        </g>
        <g ref={attachWorld}>{bodiesOf(standing, false)}</g>
      </svg>
      <svg width="100%" height="100%" className="fr-through">
        <g ref={attachWorld}>{bodiesOf(lifted, true)}</g>
        <g className="fr-quiet" aria-hidden>
          {held.map((figure) => (
            <HeldRing key={figure.id} stage={stage} id={figure.id} by={holderOf(figure) ?? ''} />
          ))}
          {keyFocus !== null && figures.some((figure) => figure.id === keyFocus) && (
            <FocusRing key={`focus${keyFocus}`} stage={stage} id={keyFocus} />
          )}
          {selected && <SelectionRing key={`ring${selected.id}`} stage={stage} id={selected.id} handle={selected.movable && !readOnly} />}
          {[...people].map(([id, name]) => (
            <NamedPointer key={id} stage={stage} id={id} name={name} />
          ))}
        </g>
      </svg>
      <span id={`${uid}help`} className="fr-unseen">
        {texts.keyboardHelp}
      </span>
    </div>
  )
}

const middleOf = (size: Size): Point => ({ x: size.width / 2, y: size.height / 2 })
