/** Conversations of any length on the page. */
export { MessageList, type Earlier, type Listed, type MessageListHandle, type MessageListProps } from "./MessageList";
