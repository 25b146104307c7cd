package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.junit.jupiter.api.Test;

/** Which version is spoken, and whether groups get a hash basis in it, byte by byte. */
class NegotiationTest {
  private static final String HELLO_13 = "0400001000000001" + "0001000800000010";
  private static final int GROUP_MOD = 15;

  private final ByteConversation conversation = new ByteConversation();

  /** The last group mod after a group was added. */
  private byte[] addedGroup() {
    conversation.connection.apply(
        List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(5), 1, 2))));
    conversation.hear(new byte[0]);
    byte[] last = null;
    for (byte[] message : conversation.sent) {
      last = message[1] == GROUP_MOD ? message : last;
    }
    return last;
  }

  @Test
  void openFlow15IsSpokenWhereItIsOfferedAndGroupsAreSeeded() {
    conversation.begin(ByteConversation.HELLO_15);
    assertTrue(conversation.connection.seedsHash());
    // HELLO itself says 1.3 to those who know no bitmap.
    assertEquals(4, conversation.sent.get(0)[0]);
    assertTrue(conversation.sent.stream().skip(1).allMatch(message -> message[0] == 6));
    assertTrue(ByteConversation.hasProperty(addedGroup()));
  }

  @Test
  void openFlow13IsSpokenWhereOnlyThatIsOffered() {
    conversation.begin(HELLO_13);
    assertFalse(conversation.connection.seedsHash());
    assertTrue(conversation.sent.stream().allMatch(message -> message[0] == 4));
    assertFalse(ByteConversation.hasProperty(addedGroup()));
  }

  @Test
  void aSwitchThatRefusesThePropertyIsUsedWithoutIt() {
    conversation.refusesProperties = true;
    conversation.begin(ByteConversation.HELLO_15);
    assertFalse(conversation.connection.seedsHash());
    byte[] added = addedGroup();
    assertEquals(6, added[0]);
    assertFalse(ByteConversation.hasProperty(added));
  }
}
