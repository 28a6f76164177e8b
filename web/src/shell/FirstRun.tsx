import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useConversations } from "../api/conversations";
import { noteWelcomed, wasWelcomed } from "../pages/welcome/seen";

/** Leads to the first page, once, where nothing was ever asked. */
export function FirstRun() {
  const navigate = useNavigate();
  const { data: conversations } = useConversations();
  const known = conversations !== undefined;
  const empty = conversations?.length === 0;
  useEffect(() => {
    if (!known || wasWelcomed()) return;
    noteWelcomed();
    if (empty) void navigate({ to: "/welcome", replace: true });
  }, [known, empty, navigate]);
  return null;
}
