/** Whether this browser can take part in video at all: some old ones and some inside other apps have no WebRTC. */
export const hasWebRtc = (): boolean => 'RTCPeerConnection' in window;
/** Whether sound can be sent to a speaker that the page chooses; in some browsers the system alone chooses. */
export const choosesSpeaker = (): boolean => 'setSinkId' in HTMLMediaElement.prototype;
