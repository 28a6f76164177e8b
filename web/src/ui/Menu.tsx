import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement } from "react";
import { Icon, type IconName } from "./icons";
import "./overlay.css";
import { shown } from "../markdown/text";

export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  trigger: ReactElement;
  /** Groups of items; a line parts one from the next. */
  groups: readonly (readonly MenuItem[])[];
  align?: "start" | "end";
}

export function Menu({ trigger, groups, align = "end" }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {groups.map((group, at) => (
            <Radix.Group key={group[0]?.label ?? at} className="menu-group">
              {group.map((item) => (
                <Radix.Item
                  key={item.label}
                  className={item.danger ? "menu-item menu-item-danger" : "menu-item"}
                  disabled={item.disabled ?? false}
                  onSelect={item.onSelect}
                >
                  {item.icon && <Icon name={item.icon} size={16} />}
                  {shown(item.label)}
                </Radix.Item>
              ))}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
