/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _SDD_WIRE_HELLO_H_
#define _SDD_WIRE_HELLO_H_

#include <errno.h>
#if !defined(__STDC_LIMIT_MACROS)
#define __STDC_LIMIT_MACROS 1
#endif
#include <limits.h>
#define SBE_FLOAT_NAN NAN
#define SBE_DOUBLE_NAN NAN
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "status.h"
#include "safePolicy.h"
#include "action.h"
#include "messageHeader.h"
#include "utf8.h"
#include "booleanType.h"
#include "clock.h"
#include "groupSizeEncoding.h"
#include "reason.h"
#include "role.h"
#include "flowMatch.h"
#include "triggerTarget.h"
#include "network.h"
#include "discipline.h"

#ifdef __cplusplus
#define SBE_ONE_DEF inline
#else
#define SBE_ONE_DEF static inline
#endif

/*
 * Define some byte ordering macros
 */
#if defined(WIN32) || defined(_WIN32)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) _byteswap_ushort(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) _byteswap_ulong(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) _byteswap_uint64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define SBE_BIG_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) (v)
#else
    #error "Byte Ordering of platform not determined. Set __BYTE_ORDER__ manually before including this file."
#endif

#if !defined(SBE_BOUNDS_CHECK_EXPECT)
#  if defined(SBE_NO_BOUNDS_CHECK)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (false)
#  elif defined(_MSC_VER)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (exp)
#  else 
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (__builtin_expect(exp, c))
#  endif

#endif

#define SBE_NULLVALUE_INT8 INT8_MIN
#define SBE_NULLVALUE_INT16 INT16_MIN
#define SBE_NULLVALUE_INT32 INT32_MIN
#define SBE_NULLVALUE_INT64 INT64_MIN
#define SBE_NULLVALUE_UINT8 UINT8_MAX
#define SBE_NULLVALUE_UINT16 UINT16_MAX
#define SBE_NULLVALUE_UINT32 UINT32_MAX
#define SBE_NULLVALUE_UINT64 UINT64_MAX

#define E100 -50100 // E_BUF_SHORT
#define E103 -50103 // VAL_UNKNOWN_ENUM
#define E104 -50104 // I_OUT_RANGE_NUM
#define E105 -50105 // I_OUT_RANGE_NUM
#define E106 -50106 // I_OUT_RANGE_NUM
#define E107 -50107 // BUF_SHORT_FLYWEIGHT
#define E108 -50108 // BUF_SHORT_NXT_GRP_IND
#define E109 -50109 // STR_TOO_LONG_FOR_LEN_TYP
#define E110 -50110 // CNT_OUT_RANGE

#ifndef SBE_STRERROR_DEFINED
#define SBE_STRERROR_DEFINED
SBE_ONE_DEF const char *sbe_strerror(const int errnum)
{
    switch (errnum)
    {
        case E100:
            return "buffer too short";
        case E103:
            return "unknown value for enum";
        case E104:
            return "index out of range";
        case E105:
            return "index out of range";
        case E106:
            return "length too large";
        case E107:
            return "buffer too short for flyweight";
        case E108:
            return "buffer too short to support next group index";
        case E109:
            return "std::string too long for length type";
        case E110:
            return "count outside of allowed range";
        default:
            return "unknown error";
    }
}
#endif

struct sdd_wire_hello
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum sdd_wire_hello_meta_attribute
{
    sdd_wire_hello_meta_attribute_EPOCH,
    sdd_wire_hello_meta_attribute_TIME_UNIT,
    sdd_wire_hello_meta_attribute_SEMANTIC_TYPE,
    sdd_wire_hello_meta_attribute_PRESENCE
};

union sdd_wire_hello_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union sdd_wire_hello_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct sdd_wire_hello_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t sdd_wire_hello_sbe_position(
    const struct sdd_wire_hello *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool sdd_wire_hello_set_sbe_position(
    struct sdd_wire_hello *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
        errno = E100;
        return false;
    }
    codec->position = position;

    return true;
}

SBE_ONE_DEF uint64_t *sdd_wire_hello_sbe_position_ptr(
    struct sdd_wire_hello *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_reset(
    struct sdd_wire_hello *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    const uint64_t acting_block_length,
    const uint64_t acting_version)
{
    codec->buffer = buffer;
    codec->offset = offset;
    codec->buffer_length = buffer_length;
    codec->acting_block_length = acting_block_length;
    codec->acting_version = acting_version;
    if (!sdd_wire_hello_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_copy(
    struct sdd_wire_hello *const codec,
    const struct sdd_wire_hello *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_sbe_block_length(void)
{
    return (uint16_t)17;
}

#define SDD_WIRE_HELLO_SBE_TEMPLATE_ID (uint16_t)1

SBE_ONE_DEF uint16_t sdd_wire_hello_sbe_template_id(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_sbe_schema_id(void)
{
    return (uint16_t)1385;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_sbe_schema_version(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF const char* sdd_wire_hello_sbe_semantic_version(void)
{
    return "1";
}

SBE_ONE_DEF const char *sdd_wire_hello_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t sdd_wire_hello_offset(
    const struct sdd_wire_hello *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_wrap_and_apply_header(
    struct sdd_wire_hello *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct sdd_wire_messageHeader *const hdr)
{
    sdd_wire_messageHeader_wrap(
        hdr, buffer + offset, 0, sdd_wire_messageHeader_sbe_schema_version(), buffer_length);

    sdd_wire_messageHeader_set_blockLength(hdr, sdd_wire_hello_sbe_block_length());
    sdd_wire_messageHeader_set_templateId(hdr, sdd_wire_hello_sbe_template_id());
    sdd_wire_messageHeader_set_schemaId(hdr, sdd_wire_hello_sbe_schema_id());
    sdd_wire_messageHeader_set_version(hdr, sdd_wire_hello_sbe_schema_version());

    sdd_wire_hello_reset(
        codec,
        buffer + offset + sdd_wire_messageHeader_encoded_length(),
        0,
        buffer_length - sdd_wire_messageHeader_encoded_length(),
        sdd_wire_hello_sbe_block_length(),
        sdd_wire_hello_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_wrap_for_encode(
    struct sdd_wire_hello *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return sdd_wire_hello_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        sdd_wire_hello_sbe_block_length(),
        sdd_wire_hello_sbe_schema_version());
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_wrap_for_decode(
    struct sdd_wire_hello *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return sdd_wire_hello_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_sbe_rewind(
    struct sdd_wire_hello *const codec)
{
    return sdd_wire_hello_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_hello_encoded_length(
    const struct sdd_wire_hello *const codec)
{
    return sdd_wire_hello_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *sdd_wire_hello_buffer(
    const struct sdd_wire_hello *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *sdd_wire_hello_mut_buffer(
    struct sdd_wire_hello *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_buffer_length(
    const struct sdd_wire_hello *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_acting_version(
    const struct sdd_wire_hello *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *sdd_wire_hello_protocolVersion_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_protocolVersion_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_protocolVersion_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_protocolVersion_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_protocolVersion_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_protocolVersion_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_protocolVersion_null_value(void)
{
    return SBE_NULLVALUE_UINT16;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_protocolVersion_min_value(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_protocolVersion_max_value(void)
{
    return (uint16_t)65534;
}

SBE_ONE_DEF size_t sdd_wire_hello_protocolVersion_encoding_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_protocolVersion(
    const struct sdd_wire_hello *const codec)
{
    uint16_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_16(val);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_set_protocolVersion(
    struct sdd_wire_hello *const codec,
    const uint16_t value)
{
    uint16_t val = SBE_LITTLE_ENDIAN_ENCODE_16(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_role_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_role_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_role_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_role_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_role_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_role_encoding_offset(void)
{
    return 2;
}

SBE_ONE_DEF size_t sdd_wire_hello_role_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool sdd_wire_hello_role(
    const struct sdd_wire_hello *const codec,
    enum sdd_wire_role *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 2, sizeof(uint8_t));

    return sdd_wire_role_get((val), out);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_set_role(
    struct sdd_wire_hello *const codec,
    const enum sdd_wire_role value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 2, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_linkBps_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_linkBps_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_linkBps_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_linkBps_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_linkBps_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_linkBps_encoding_offset(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_linkBps_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_linkBps_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_hello_linkBps_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_hello_linkBps_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_linkBps(
    const struct sdd_wire_hello *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 3, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_set_linkBps(
    struct sdd_wire_hello *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 3, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_datagramPort_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_datagramPort_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_datagramPort_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_datagramPort_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_datagramPort_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_datagramPort_encoding_offset(void)
{
    return 11;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_datagramPort_null_value(void)
{
    return SBE_NULLVALUE_UINT16;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_datagramPort_min_value(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_datagramPort_max_value(void)
{
    return (uint16_t)65534;
}

SBE_ONE_DEF size_t sdd_wire_hello_datagramPort_encoding_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_datagramPort(
    const struct sdd_wire_hello *const codec)
{
    uint16_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 11, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_16(val);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_set_datagramPort(
    struct sdd_wire_hello *const codec,
    const uint16_t value)
{
    uint16_t val = SBE_LITTLE_ENDIAN_ENCODE_16(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 11, &val, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_maxQueues_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_maxQueues_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_maxQueues_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_maxQueues_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_maxQueues_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_maxQueues_encoding_offset(void)
{
    return 13;
}

SBE_ONE_DEF uint32_t sdd_wire_hello_maxQueues_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t sdd_wire_hello_maxQueues_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t sdd_wire_hello_maxQueues_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t sdd_wire_hello_maxQueues_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t sdd_wire_hello_maxQueues(
    const struct sdd_wire_hello *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 13, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_set_maxQueues(
    struct sdd_wire_hello *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 13, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

struct sdd_wire_hello_addresses
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t *position_ptr;
    uint64_t block_length;
    uint64_t count;
    uint64_t index;
    uint64_t offset;
    uint64_t acting_version;
};

SBE_ONE_DEF uint64_t *sdd_wire_hello_addresses_sbe_position_ptr(
    struct sdd_wire_hello_addresses *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_wrap_for_decode(
    struct sdd_wire_hello_addresses *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = sdd_wire_groupSizeEncoding_blockLength(&dimensions);
    codec->count = sdd_wire_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_wrap_for_encode(
    struct sdd_wire_hello_addresses *const codec,
    char *const buffer,
    const uint16_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 65534)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    sdd_wire_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)17);
    sdd_wire_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 17;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_sbe_block_length(void)
{
    return 17;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_sbe_position(
    const struct sdd_wire_hello_addresses *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_set_sbe_position(
    struct sdd_wire_hello_addresses *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
       errno = E100;
       return false;
    }
    *codec->position_ptr = position;

    return true;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_count(
    const struct sdd_wire_hello_addresses *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_has_next(
    const struct sdd_wire_hello_addresses *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return codec->index + 1 < codec->count;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_next(
    struct sdd_wire_hello_addresses *const codec)
{
    codec->offset = *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    if (SBE_BOUNDS_CHECK_EXPECT(((codec->offset + codec->block_length) > codec->buffer_length), false))
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    {
        errno = E108;
        return NULL;
    }
    *codec->position_ptr = codec->offset + codec->block_length;
    ++codec->index;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_for_each(
    struct sdd_wire_hello_addresses *const codec,
    void (*func)(struct sdd_wire_hello_addresses *, void *),
    void *const context)
{
    while (sdd_wire_hello_addresses_has_next(codec))
    {
        if (!sdd_wire_hello_addresses_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_address_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_addresses_address_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_address_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_address_in_acting_version(
    const struct sdd_wire_hello_addresses *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_addresses_address_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_addresses_address_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_address_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_address_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_address_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t sdd_wire_hello_addresses_address_encoding_length(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_address_length(void)
{
    return 16;
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_address_buffer(
    const struct sdd_wire_hello_addresses *const codec)
{
    return codec->buffer + codec->offset + 0;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_address_unsafe(
    const struct sdd_wire_hello_addresses *const codec,
    const uint64_t index)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0 + (index * 1), sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_address(
    const struct sdd_wire_hello_addresses *const codec,
    const uint64_t index,
    uint8_t *const out)
{
    if (index >= 16)
    {
        errno = E104;
        return false;
    }

    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0 + (index * 1), sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    *out = (val);
    return true;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_set_address_unsafe(
    struct sdd_wire_hello_addresses *const codec,
    const uint64_t index,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0 + (index * 1), &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_set_address(
    struct sdd_wire_hello_addresses *const codec,
    const uint64_t index,
    const uint8_t value)
{
    if (index >= 16)
    {
        errno = E105;
        return NULL;
    }

    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0 + (index * 1), &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF char *sdd_wire_hello_addresses_get_address(
    const struct sdd_wire_hello_addresses *const codec,
    char *dst,
    const uint64_t length)
{
    if (length > 16)
    {
        errno = E106;
        return NULL;
    }

    memcpy(dst, codec->buffer + codec->offset + 0, sizeof(uint8_t) * length);

    return dst;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_put_address(
    struct sdd_wire_hello_addresses *const codec,
    const char *src)
{
    memcpy(codec->buffer + codec->offset + 0, src, sizeof(uint8_t) * 16);

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_prefixBits_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_addresses_prefixBits_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_prefixBits_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_prefixBits_in_acting_version(
    const struct sdd_wire_hello_addresses *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_addresses_prefixBits_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_addresses_prefixBits_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_prefixBits_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_prefixBits_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_prefixBits_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t sdd_wire_hello_addresses_prefixBits_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF uint8_t sdd_wire_hello_addresses_prefixBits(
    const struct sdd_wire_hello_addresses *const codec)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 16, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_set_prefixBits(
    struct sdd_wire_hello_addresses *const codec,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 16, &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_interfaceName_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_interfaceName_character_encoding(void)
{
    return "UTF-8";
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_interfaceName_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_interfaceName_in_acting_version(
    const struct sdd_wire_hello_addresses *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_addresses_interfaceName_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t sdd_wire_hello_addresses_interfaceName_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_interfaceName_header_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_addresses_interfaceName_length(
    const struct sdd_wire_hello_addresses *const codec)
{
    uint16_t length;
    memcpy(&length, codec->buffer + sdd_wire_hello_addresses_sbe_position(codec), sizeof(uint16_t));

    return SBE_LITTLE_ENDIAN_ENCODE_16(length);
}

SBE_ONE_DEF const char *sdd_wire_hello_addresses_interfaceName(
    struct sdd_wire_hello_addresses *const codec)
{
    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + sdd_wire_hello_addresses_sbe_position(codec), sizeof(uint16_t));
    const char *field_ptr = (codec->buffer + sdd_wire_hello_addresses_sbe_position(codec) + 2);

    if (!sdd_wire_hello_addresses_set_sbe_position(
        codec, sdd_wire_hello_addresses_sbe_position(codec) + 2 + SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_get_interfaceName(
    struct sdd_wire_hello_addresses *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_addresses_sbe_position(codec);
    if (!sdd_wire_hello_addresses_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint16_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = sdd_wire_hello_addresses_sbe_position(codec);

    if (!sdd_wire_hello_addresses_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct sdd_wire_hello_string_view sdd_wire_hello_addresses_get_interfaceName_as_string_view(
    struct sdd_wire_hello_addresses *const codec)
{
    uint16_t length_field_value = sdd_wire_hello_addresses_interfaceName_length(codec);
    const char *field_ptr = codec->buffer + sdd_wire_hello_addresses_sbe_position(codec) + 2;
    if (!sdd_wire_hello_addresses_set_sbe_position(
        codec, sdd_wire_hello_addresses_sbe_position(codec) + 2 + length_field_value))
    {
        struct sdd_wire_hello_string_view ret = {NULL, 0};
        return ret;
    }

    struct sdd_wire_hello_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_put_interfaceName(
    struct sdd_wire_hello_addresses *const codec,
    const char *src,
    const uint16_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_addresses_sbe_position(codec);
    uint16_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_16(length);
    if (!sdd_wire_hello_addresses_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint16_t));
    uint64_t pos = sdd_wire_hello_addresses_sbe_position(codec);

    if (!sdd_wire_hello_addresses_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_addresses_id(void)
{
    return 6;
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_get_addresses(
    struct sdd_wire_hello *const codec,
    struct sdd_wire_hello_addresses *const property)
{
    return sdd_wire_hello_addresses_wrap_for_decode(
        property,
        codec->buffer,
        sdd_wire_hello_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct sdd_wire_hello_addresses *sdd_wire_hello_addresses_set_count(
    struct sdd_wire_hello *const codec,
    struct sdd_wire_hello_addresses *const property,
    const uint16_t count)
{
    return sdd_wire_hello_addresses_wrap_for_encode(
        property,
        codec->buffer,
        count,
        sdd_wire_hello_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_hello_addresses_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_addresses_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_addresses_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

struct sdd_wire_hello_ports
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t *position_ptr;
    uint64_t block_length;
    uint64_t count;
    uint64_t index;
    uint64_t offset;
    uint64_t acting_version;
};

SBE_ONE_DEF uint64_t *sdd_wire_hello_ports_sbe_position_ptr(
    struct sdd_wire_hello_ports *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_wrap_for_decode(
    struct sdd_wire_hello_ports *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = sdd_wire_groupSizeEncoding_blockLength(&dimensions);
    codec->count = sdd_wire_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_wrap_for_encode(
    struct sdd_wire_hello_ports *const codec,
    char *const buffer,
    const uint16_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 65534)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    sdd_wire_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)2);
    sdd_wire_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 2;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_sbe_block_length(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_sbe_position(
    const struct sdd_wire_hello_ports *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF bool sdd_wire_hello_ports_set_sbe_position(
    struct sdd_wire_hello_ports *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
       errno = E100;
       return false;
    }
    *codec->position_ptr = position;

    return true;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_count(
    const struct sdd_wire_hello_ports *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool sdd_wire_hello_ports_has_next(
    const struct sdd_wire_hello_ports *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return codec->index + 1 < codec->count;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_next(
    struct sdd_wire_hello_ports *const codec)
{
    codec->offset = *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    if (SBE_BOUNDS_CHECK_EXPECT(((codec->offset + codec->block_length) > codec->buffer_length), false))
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    {
        errno = E108;
        return NULL;
    }
    *codec->position_ptr = codec->offset + codec->block_length;
    ++codec->index;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_for_each(
    struct sdd_wire_hello_ports *const codec,
    void (*func)(struct sdd_wire_hello_ports *, void *),
    void *const context)
{
    while (sdd_wire_hello_ports_has_next(codec))
    {
        if (!sdd_wire_hello_ports_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_ports_port_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_port_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_port_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_ports_port_in_acting_version(
    const struct sdd_wire_hello_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_ports_port_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_hello_ports_port_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_port_null_value(void)
{
    return SBE_NULLVALUE_UINT16;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_port_min_value(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_port_max_value(void)
{
    return (uint16_t)65534;
}

SBE_ONE_DEF size_t sdd_wire_hello_ports_port_encoding_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_port(
    const struct sdd_wire_hello_ports *const codec)
{
    uint16_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_16(val);
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_set_port(
    struct sdd_wire_hello_ports *const codec,
    const uint16_t value)
{
    uint16_t val = SBE_LITTLE_ENDIAN_ENCODE_16(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_hello_ports_hostName_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *sdd_wire_hello_ports_hostName_character_encoding(void)
{
    return "UTF-8";
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_hostName_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_ports_hostName_in_acting_version(
    const struct sdd_wire_hello_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_ports_hostName_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_hostName_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_hostName_header_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_hostName_length(
    const struct sdd_wire_hello_ports *const codec)
{
    uint16_t length;
    memcpy(&length, codec->buffer + sdd_wire_hello_ports_sbe_position(codec), sizeof(uint16_t));

    return SBE_LITTLE_ENDIAN_ENCODE_16(length);
}

SBE_ONE_DEF const char *sdd_wire_hello_ports_hostName(
    struct sdd_wire_hello_ports *const codec)
{
    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + sdd_wire_hello_ports_sbe_position(codec), sizeof(uint16_t));
    const char *field_ptr = (codec->buffer + sdd_wire_hello_ports_sbe_position(codec) + 2);

    if (!sdd_wire_hello_ports_set_sbe_position(
        codec, sdd_wire_hello_ports_sbe_position(codec) + 2 + SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_get_hostName(
    struct sdd_wire_hello_ports *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_ports_sbe_position(codec);
    if (!sdd_wire_hello_ports_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint16_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = sdd_wire_hello_ports_sbe_position(codec);

    if (!sdd_wire_hello_ports_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct sdd_wire_hello_string_view sdd_wire_hello_ports_get_hostName_as_string_view(
    struct sdd_wire_hello_ports *const codec)
{
    uint16_t length_field_value = sdd_wire_hello_ports_hostName_length(codec);
    const char *field_ptr = codec->buffer + sdd_wire_hello_ports_sbe_position(codec) + 2;
    if (!sdd_wire_hello_ports_set_sbe_position(
        codec, sdd_wire_hello_ports_sbe_position(codec) + 2 + length_field_value))
    {
        struct sdd_wire_hello_string_view ret = {NULL, 0};
        return ret;
    }

    struct sdd_wire_hello_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_put_hostName(
    struct sdd_wire_hello_ports *const codec,
    const char *src,
    const uint16_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_ports_sbe_position(codec);
    uint16_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_16(length);
    if (!sdd_wire_hello_ports_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint16_t));
    uint64_t pos = sdd_wire_hello_ports_sbe_position(codec);

    if (!sdd_wire_hello_ports_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_ports_id(void)
{
    return 10;
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_get_ports(
    struct sdd_wire_hello *const codec,
    struct sdd_wire_hello_ports *const property)
{
    return sdd_wire_hello_ports_wrap_for_decode(
        property,
        codec->buffer,
        sdd_wire_hello_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct sdd_wire_hello_ports *sdd_wire_hello_ports_set_count(
    struct sdd_wire_hello *const codec,
    struct sdd_wire_hello_ports *const property,
    const uint16_t count)
{
    return sdd_wire_hello_ports_wrap_for_encode(
        property,
        codec->buffer,
        count,
        sdd_wire_hello_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_hello_ports_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_ports_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_ports_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF const char *sdd_wire_hello_name_meta_attribute(
    const enum sdd_wire_hello_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_hello_meta_attribute_EPOCH: return "";
        case sdd_wire_hello_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_hello_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_hello_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *sdd_wire_hello_name_character_encoding(void)
{
    return "UTF-8";
}

SBE_ONE_DEF uint64_t sdd_wire_hello_name_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_hello_name_in_acting_version(
    const struct sdd_wire_hello *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_hello_name_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t sdd_wire_hello_name_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_name_header_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_hello_name_length(
    const struct sdd_wire_hello *const codec)
{
    uint16_t length;
    memcpy(&length, codec->buffer + sdd_wire_hello_sbe_position(codec), sizeof(uint16_t));

    return SBE_LITTLE_ENDIAN_ENCODE_16(length);
}

SBE_ONE_DEF const char *sdd_wire_hello_name(
    struct sdd_wire_hello *const codec)
{
    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + sdd_wire_hello_sbe_position(codec), sizeof(uint16_t));
    const char *field_ptr = (codec->buffer + sdd_wire_hello_sbe_position(codec) + 2);

    if (!sdd_wire_hello_set_sbe_position(
        codec, sdd_wire_hello_sbe_position(codec) + 2 + SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t sdd_wire_hello_get_name(
    struct sdd_wire_hello *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_sbe_position(codec);
    if (!sdd_wire_hello_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint16_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = sdd_wire_hello_sbe_position(codec);

    if (!sdd_wire_hello_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct sdd_wire_hello_string_view sdd_wire_hello_get_name_as_string_view(
    struct sdd_wire_hello *const codec)
{
    uint16_t length_field_value = sdd_wire_hello_name_length(codec);
    const char *field_ptr = codec->buffer + sdd_wire_hello_sbe_position(codec) + 2;
    if (!sdd_wire_hello_set_sbe_position(
        codec, sdd_wire_hello_sbe_position(codec) + 2 + length_field_value))
    {
        struct sdd_wire_hello_string_view ret = {NULL, 0};
        return ret;
    }

    struct sdd_wire_hello_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct sdd_wire_hello *sdd_wire_hello_put_name(
    struct sdd_wire_hello *const codec,
    const char *src,
    const uint16_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = sdd_wire_hello_sbe_position(codec);
    uint16_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_16(length);
    if (!sdd_wire_hello_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint16_t));
    uint64_t pos = sdd_wire_hello_sbe_position(codec);

    if (!sdd_wire_hello_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

#endif
